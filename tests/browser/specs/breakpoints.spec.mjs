// Breakpoints at the three moments: the run holds, what was looked at can be changed, and Run goes on. By keyboard alone.
import { expect, inDialect, test } from "../world/world.mjs";

/** Sets a breakpoint. */
async function hold(page, moment, when) {
  const button = page.getByRole("button", { name: /^Breakpoints/ });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.press("Enter");
  const panel = page.getByRole("region", { name: "Breakpoints" });
  await panel.getByRole("combobox", { name: moment }).selectOption(when);
  return panel;
}

/** Changes a text in the open editor and saves it. */
async function edit(page, editor, field, text) {
  const card = page.getByRole("group", { name: editor });
  await card.getByRole("textbox", { name: field }).fill(text);
  await card.getByRole("button", { name: "Save edit" }).press("Enter");
  await expect(card).toBeHidden();
}

inDialect("Messages", () => {
  test("before the model: the message is changed before it is sent, and its original stays", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await hold(page, "before the model call", "first time for each message");
    await person.say("$ echo first words");
    await expect(page.getByText("Held at a breakpoint: before the model call.")).toBeVisible();
    expect(person.modelCalls()).toHaveLength(0);
    await person.message(0, "user").getByRole("button", { name: "Edit" }).press("Enter");
    await edit(page, "Edit messages[0]", "Text", "$ echo other words");
    await expect(person.message(0, "user")).toContainText("other words");
    await person.button("Run").press("Enter");
    await person.isAskedAbout("echo other words");
    await person.allow();
    await person.rests();
    expect(JSON.stringify(person.modelCalls()[0])).not.toContain("first words");
    await person.message(0, "user").getByText("before the edit").click();
    await expect(person.message(0, "user")).toContainText("first words");
  });

  test("before the tool, by a pattern: the arguments are changed before anybody is asked", async ({ person, page, workspace }) => {
    await person.chooseModel("practice/run");
    const panel = await hold(page, "before the tool call", "when the command has …");
    await panel.getByRole("textbox", { name: /^Pattern/ }).fill("touch*two");
    await person.say("$ touch one.txt\n$ touch two.txt");
    await person.isAskedAbout("touch one.txt");
    await person.allow();
    await expect(page.getByText("Held at a breakpoint: before the tool call.")).toBeVisible();
    await person.isNotAsked();
    expect(workspace.has("one.txt")).toBe(true);
    await page.getByRole("button", { name: /^Edit arguments of / }).press("Enter");
    await edit(page, /^Edit arguments of /, "Arguments (JSON)", '{"command": "touch three.txt"}');
    await person.button("Run").press("Enter");
    await person.isAskedAbout("touch three.txt");
    await person.allow();
    await person.rests();
    expect([workspace.has("two.txt"), workspace.has("three.txt")]).toEqual([false, true]);
  });

  test("after the tool: the model reads the changed result", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await hold(page, "after the tool call", "always");
    await person.say("$ echo true words");
    await person.allow();
    await expect(page.getByText("Held at a breakpoint: after the tool call.")).toBeVisible();
    await page.getByRole("button", { name: /^Edit result of / }).press("Enter");
    await edit(page, /^Edit result of /, "Result the model reads", "false words");
    await person.button("Run").press("Enter");
    await person.rests();
    await expect(person.result(2)).toContainText("false words");
    await expect(person.result(2)).toContainText("edited");
    expect(JSON.stringify(person.modelCalls().at(-1).messages)).toContain("false words");
    await expect(person.message(3, "assistant")).toContainText("false words");
  });

  test("in a turn only", async ({ person, page }) => {
    await person.chooseModel("practice/turn-limit");
    const panel = await hold(page, "before the model call", "in turn …");
    await panel.getByRole("textbox", { name: /^Turn/ }).fill("3");
    await person.say("Go ahead");
    await person.allow();
    await person.allow();
    await expect(page.getByText("Held at a breakpoint: before the model call.")).toBeVisible();
    expect(person.modelCalls()).toHaveLength(2);
  });
});
