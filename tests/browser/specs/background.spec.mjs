// Commands in the background: offered where a person has switched them on, seen on the page, and ended from there.
import { longSleep, marked } from "../world/processes.mjs";
import { expect, test } from "../world/world.mjs";

const SWITCH = "Let the model leave commands running in the background";

/** The model, who asks for what it is told to ask for. */
async function model(person, page) {
  await person.chooseModel("you");
  const card = page.getByRole("group", { name: "You are the model" });
  return async (name, input) => {
    await expect(card).toBeVisible();
    const content = [{ type: "tool_use", id: "call_1", name, input }];
    await card.getByRole("textbox", { name: "Answer" }).fill(JSON.stringify({ role: "assistant", content }));
    await card.getByRole("button", { name: "Send answer" }).click();
  };
}

test("a command in the background outlives a reload", async ({ person, page }) => {
  await person.settings((settings) => settings.getByLabel(SWITCH).check());
  const asks = await model(person, page);
  await person.say("Start it.");
  const sleep = longSleep();
  const command = `echo up; exec ${sleep.command}`;
  await asks("bash", { command, background: true });
  await person.isAskedAbout(command);
  await expect(person.question.getByText(/^It goes on in the background/)).toBeVisible();
  await person.allow();
  await expect(person.result(2)).toContainText("started in the background as bg-1");
  await expect(person.result(2)).toContainText("goes on in the background");

  const row = page.getByRole("list", { name: "Commands in the background" }).getByRole("listitem");
  await expect(row).toContainText(command);
  await expect(row).toContainText("running");
  await expect(row).toContainText("3 B");

  // To look at it is not asked about.
  await asks("bash_read", { id: "bg-1" });
  await expect(person.result(4)).toContainText("up");
  await expect(person.result(4)).toContainText("bg-1 is still running");
  await asks("bash_read", { id: "bg-1" });
  await expect(person.result(6)).toContainText("no new output; bg-1 is still running");

  await page.reload();
  await person.isReady();
  await person.hasShell();
  await expect(row).toContainText("running");
  expect(marked(sleep.marker).length).toBeGreaterThan(0);
  await row.getByRole("button", { name: "Stop bg-1" }).click();
  await expect(row).toContainText("stopped");
  await expect(row.getByRole("button")).toHaveCount(0);
  await expect.poll(() => marked(sleep.marker)).toEqual([]);
});

test("where there is no background, the model is told so and nothing runs", async ({ person, page, workspace }) => {
  const asks = await model(person, page);
  await person.say("Start it.");
  const input = { command: "touch made", background: true };
  await asks("bash", input);
  await expect(person.result(2)).toContainText("commands cannot go on in the background here");
  await asks("bash_list", {});
  await expect(person.result(4)).toContainText("unknown tool bash_list");
  await person.stop();

  // The switch gives a person who is the tool nothing that they do not have.
  await person.settings((settings) => settings.getByLabel(SWITCH).check());
  await person.chooseHost("You are the tool");
  await person.say("And now?");
  await asks("bash", input);
  await expect(person.result(7)).toContainText("commands cannot go on in the background here");
  await person.stop();
  expect(workspace.has("made")).toBe(false);
});
