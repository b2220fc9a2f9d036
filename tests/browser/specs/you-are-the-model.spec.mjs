// Be the model: a person writes the answer, and the harness does with it what it does with any endpoint's.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects(() => {
  test("the ready-made answers, one after another, by keyboard alone", async ({ person, page, workspace }) => {
    await person.chooseModel("you");
    await person.say("List the files.");
    const card = page.getByRole("group", { name: "You are the model" });
    const answer = async (sample) => {
      await expect(card).toBeVisible();
      await expect(card.getByRole("textbox", { name: "Answer" })).toBeFocused();
      await card.getByRole("button", { name: sample, exact: true }).press("Enter");
      await card.getByRole("button", { name: "Send answer" }).press("Enter");
    };
    const failures = [
      ["Missing brace", "parse"],
      ["Arguments []", "validate"],
      ["Arguments {}", "validate"],
      ["Unknown tool", "validate"],
    ];
    let place = 1;
    for (const [sample, layer] of failures) {
      await answer(sample);
      await expect(person.result(place + 1)).toContainText(`failed at: ${layer}`);
      await expect(person.result(place + 1)).toContainText("process started: no");
      place += 2;
    }
    await answer("Two calls");
    await person.isAskedAbout("pwd");
    await person.allow();
    await person.isAskedAbout("ls");
    await person.allow();
    await expect(person.message(place, "assistant")).toBeVisible();
    await answer("No call");
    await person.rests();
    await expect(person.list.getByText("There is nothing left to do.", { exact: true })).toBeVisible();
    expect(person.modelCalls()).toHaveLength(0);

    // Words and a command of one's own.
    await person.say("And once more.");
    await expect(card).toBeVisible();
    await card.getByRole("textbox", { name: "Answer" }).fill("I write it down.\n$ echo mine > mine.txt");
    await card.getByRole("button", { name: "Send answer" }).press("Enter");
    await person.isAskedAbout("echo mine > mine.txt");
    await person.allow();
    await expect(card).toBeVisible();
    expect(workspace.read("mine.txt")).toBe("mine\n");
    await card.getByRole("textbox", { name: "Answer" }).fill('{"role": "assistant", "content": "cut');
    await card.getByRole("button", { name: "Send answer" }).press("Enter");
    // An answer that breaks off is asked for again, as from any endpoint.
    await expect(page.getByText(/^attempt 2 in /)).toBeVisible();
    await expect(card).toBeVisible();
    await person.stop();
    await person.rests("You stopped it.");
  });
});
