// What the settings say of an endpoint before anything is sent: whether pages may call it, what its address means, and
// what a number was kept at.
import { expect, test } from "../world/world.mjs";

/** The settings, with this endpoint chosen. */
async function choose(page, label) {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("combobox", { name: "Endpoint" }).selectOption({ label });
  return settings;
}

/** What a field is described by, as a screen reader reads it. */
const description = (field) =>
  field.evaluate((field) =>
    (field.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join("\n"),
  );

test("each endpoint says whether pages may call it, and how its key is sent", async ({ person: _, page }) => {
  const settings = await choose(page, "DashScope (Qwen)");
  const endpoint = settings.getByRole("combobox", { name: "Endpoint" });
  // The bridge relays to it, so nothing has to be done but to type its key.
  await expect(settings).toContainText("By way of the bridge, which has no key for it; type one: /relay/dashscope");
  expect(await description(endpoint)).toBe("");
  await endpoint.selectOption({ label: "Groq" });
  expect(await description(endpoint)).toBe("Web pages may call this service.");
  expect(await description(settings.getByLabel(/^Key/))).toContain("Needed. Sent as Authorization: Bearer.");
  await endpoint.selectOption({ label: "LM Studio" });
  expect(await description(endpoint)).toContain("Enable CORS");
  expect(await description(settings.getByLabel(/^Key/))).toContain("Only where the server wants one.");
  await endpoint.selectOption({ label: "Anthropic" });
  expect(await description(settings.getByLabel(/^Key/))).toContain("Sent as x-api-key.");
});

test("an address that is wrong in shape is explained, and the right one is offered", async ({ person: _, page }) => {
  const settings = await choose(page, "OpenAI-compatible");
  const address = settings.getByLabel("Base URL");
  const type = async (text) => {
    await address.fill(text);
    await address.blur();
  };
  const says = async (words) => expect.poll(() => description(address)).toContain(words);
  await says("No address yet.");

  await type("api.example.org/v1/chat/completions");
  await expect(address).toHaveAttribute("aria-invalid", "false");
  await says("has been added");
  await says("The end of the path was left out");
  await says("Requests go to https://api.example.org/v1/chat/completions");
  await settings.getByRole("button", { name: "Use https://api.example.org/v1", exact: true }).click();
  await expect(address).toHaveValue("https://api.example.org/v1");
  await expect(settings.getByRole("button", { name: /^Use / })).toHaveCount(0);

  await type("ftp://api.example.org/v1");
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await says("not with ftp://");
  await settings.getByRole("button", { name: "Use https://api.example.org/v1", exact: true }).click();

  await type("https://api.example.org/v1/messages");
  await says("the path of the other dialect");
  await type("http://192.168.1.5:8080/v1");
  await says("may not call another machine over plain http");
  await expect(settings.getByRole("button", { name: "Use https://192.168.1.5:8080/v1" })).toBeVisible();
  await type("http://[::1]:8080/v1");
  await says("as localhost or 127.0.0.1 only");
  await settings.getByRole("button", { name: "Use http://localhost:8080/v1", exact: true }).click();
  await says("Requests go to http://localhost:8080/v1/chat/completions");
});

test("a key stays when the address of its service is mended, and goes with the service", async ({ person: _, page }) => {
  const settings = await choose(page, "OpenAI-compatible");
  const address = settings.getByLabel("Base URL");
  await address.fill("https://api.example.org/v1/models");
  await address.blur();
  await settings.getByLabel(/^Key/).fill("sk-some");
  await settings.getByRole("button", { name: "Use https://api.example.org/v1", exact: true }).click();
  await expect(settings.getByLabel(/^Key/)).toHaveValue("sk-some");
  await address.fill("https://api.example.com/v1");
  await address.blur();
  await expect(settings.getByLabel(/^Key/)).toHaveValue("");
});

test("a number that cannot be is kept at what can, and that is said", async ({ person: _, page }) => {
  const settings = await choose(page, "OpenAI-compatible");
  const seconds = settings.getByLabel("Seconds a command may take");
  const check = async (typed, kept, said) => {
    await seconds.fill(typed);
    await seconds.blur();
    await expect(seconds).toHaveValue(kept);
    await expect.poll(() => description(seconds)).toBe(said);
  };
  await check("90", "90", "");
  await check("100000", "3600", "Kept at 3,600, the most it can be.");
  await check("0", "1", "Kept at 1, the least it can be.");
  await check("soon", "1", "“soon” is no whole number, so nothing was changed.");
  await check("", "120", "It cannot be empty: 120 is the usual.");
  const money = settings.getByLabel("Money", { exact: true });
  await money.fill("1.5");
  await money.blur();
  await money.fill("a lot");
  await money.blur();
  await expect(money).toHaveValue("1.5");
  await expect(settings).toContainText("“a lot” is no amount, so nothing was changed.");
});
