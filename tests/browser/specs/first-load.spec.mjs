// A first visit fetches what shows an empty session and nothing else; the parts of the page come when they are needed,
// and one that does not come is said and can be asked for again.
import { expect, test } from "@playwright/test";
import { dialects } from "../world/dialects.mjs";
import { Person } from "../world/person.mjs";
import { serveFiles } from "../world/static-host.mjs";

const dist = process.env.LOOPGLASS_DIST;

/** The names of the files that the page has fetched, without the tag of their build. */
function fetched(page) {
  const names = [];
  page.on("request", (request) => names.push(new URL(request.url()).pathname.replace(/^.*\/somewhere\/|-[0-9a-f]+(?=\.wasm$)/g, "")));
  return names;
}

test("a first visit asks for no part of the page, and what a person does asks for its own", async ({ page }) => {
  const files = await serveFiles(dist);
  const names = fetched(page);
  const person = new Person(page, dialects[0]);
  await person.open(files.url);
  await page.waitForLoadState("networkidle");
  expect(names.filter((name) => name.startsWith("parts/"))).toEqual([]);
  await person.settings((settings) => expect(settings.getByLabel("Model calls for one message")).toBeVisible());
  expect(names).toContain("parts/split_settings.wasm");
  expect(names).not.toContain("parts/split_session.wasm");
  await person.box.focus();
  await expect.poll(() => names).toEqual(expect.arrayContaining(["parts/split_session.wasm", "parts/split_run.wasm"]));
  expect(names).not.toContain("parts/split_stored.wasm");
  await files.close();
});

test("a part that does not come is said, loses nothing, and comes when it is asked for again", async ({ page }) => {
  let isMissing = true;
  const files = await serveFiles(dist, { without: (name) => isMissing && name.startsWith("parts/") });
  const person = new Person(page, dialects[0]);
  await person.open(files.url);
  await person.chooseHost("You are the tool");
  await person.box.fill("List the Python files in the current directory");
  await person.box.press("Enter");
  const notice = page.getByText("A part of this page could not be fetched.");
  await expect(notice).toBeVisible();
  await expect(person.button("Run")).toBeEnabled();
  isMissing = false;
  await person.button("Fetch it again").click();
  await expect(notice).toBeHidden();
  await expect(person.message(0, "user")).toContainText("List the Python files");
  await person.run();
  await page.getByRole("textbox", { name: "Result", exact: true }).fill("./typed.py");
  await person.button("Return result").click();
  await person.rests();
  await expect(person.message(3, "assistant")).toContainText("typed.py");
  await files.close();
});
