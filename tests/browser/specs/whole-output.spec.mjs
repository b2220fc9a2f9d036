// Beside what the model read: what was left out, and the whole, to look through and to keep.
import { readFileSync } from "node:fs";
import { expect, test } from "../world/world.mjs";

/** What a download holds. */
async function downloaded(page, link) {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return readFileSync(await download.path());
}

test("a long output is cut for the model and whole for the person", async ({ person, page }) => {
  await person.chooseModel("practice/run");
  await person.say("$ seq 1 50000");
  await person.allow();
  await person.rests();
  const panel = await person.inspect("Tool");
  const all = Array.from({ length: 50_000 }, (_, n) => `${n + 1}\n`).join("");
  await expect(panel).toContainText(
    "The model read the first 25,000 characters and the last 25,000. 238 kB between them were left out.",
  );
  await panel.getByRole("button", { name: "Get the whole output (288 kB)" }).click();
  const whole = panel.getByLabel("Whole output");
  await expect(whole).toHaveText(/^1\n2\n3\n/);
  await expect(panel).toContainText("bytes 0 to 32,768 of 288,894");
  await expect(panel.getByRole("button", { name: "Earlier" })).toBeDisabled();
  await panel.getByRole("button", { name: "Later" }).click();
  await expect(panel).toContainText("bytes 32,768 to 65,536 of 288,894");
  expect(await whole.textContent()).toBe(all.slice(32_768, 65_536));
  expect((await downloaded(page, panel.getByRole("link", { name: "Download" }))).toString()).toBe(all);
});

test("binary output can only be downloaded", async ({ person, page }) => {
  await person.chooseModel("practice/run");
  await person.say("$ head -c 5000 /dev/zero");
  await person.allow();
  await person.rests();
  const panel = await person.inspect("Tool");
  await panel.getByRole("button", { name: /^Get the whole output/ }).click();
  await expect(panel).toContainText("This is binary output: it can be downloaded, not shown.");
  await expect(panel.getByLabel("Whole output")).toHaveCount(0);
  const bytes = await downloaded(page, panel.getByRole("link", { name: "Download" }));
  expect([bytes.length, bytes.every((byte) => byte === 0)]).toEqual([5000, true]);
});

test("what the bridge does not keep any more is said", async ({ person, page, bridge }) => {
  await person.chooseModel("practice/run");
  await person.say("$ echo short");
  await person.allow();
  await person.rests();
  const panel = await person.inspect("Tool");
  await bridge.end();
  await panel.getByRole("button", { name: "Get the whole output (6 B)" }).click();
  await expect(panel).toContainText("The bridge does not answer.");
});
