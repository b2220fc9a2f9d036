// At a stop before the model call: the system prompt, the tools and the parameters are changed before the request is sent,
// and what they were stays to be read. By keyboard alone.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects((dialect) => {
  test("what is edited is what is sent, and what it was is kept", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await page.getByRole("button", { name: /^Breakpoints/ }).press("Enter");
    await page.getByRole("combobox", { name: "before the model call" }).selectOption("first time for each message");
    await person.say("$ echo one");
    await expect(page.getByText("Held at a breakpoint: before the model call.")).toBeVisible();
    await page.getByRole("button", { name: "Edit system, tools and parameters" }).press("Enter");
    const editor = page.getByRole("group", { name: "Edit system, tools and parameters" });
    await editor.getByRole("textbox", { name: "System prompt" }).fill("Be brief.");
    await editor.getByRole("textbox", { name: "Description of bash" }).fill("Runs a line.");
    await editor.getByRole("spinbutton").fill("777");
    await editor.getByRole("textbox", { name: /^stop_sequences/ }).fill("END\nSTOP");
    await editor.getByRole("button", { name: "Save edit" }).press("Enter");
    await expect(editor).toBeHidden();
    const told = "before this request: system, tools, max_tokens, stop_sequences";
    await expect(page.getByText(told)).toBeVisible();
    expect(person.modelCalls()).toHaveLength(0);
    await person.button("Run").press("Enter");
    await person.allow();
    await person.rests();

    for (const body of person.modelCalls()) {
      const [system, tools, stop] =
        dialect.name === "Messages"
          ? [body.system, body.tools, body.stop_sequences]
          : [body.messages[0].content, body.tools.map((tool) => tool.function), body.stop];
      expect([system, tools.map(({ name, description }) => [name, description]), body.max_tokens, stop]).toEqual([
        "Be brief.",
        [["bash", "Runs a line."]],
        777,
        ["END", "STOP"],
      ]);
    }

    // The mark stands by the answer, also after a reload.
    await page.reload();
    await person.isReady();
    const answer = person.message(1, "assistant");
    await answer.getByText(told).click();
    await expect(answer).toContainText("You are a coding agent");
    await expect(answer).toContainText("8000");
    await expect(person.message(3, "assistant")).not.toContainText("before this request");
  });

  test("a tool that is switched off is not offered", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await page.getByRole("button", { name: /^Breakpoints/ }).press("Enter");
    await page.getByRole("combobox", { name: "before the model call" }).selectOption("always");
    await person.say("$ echo one");
    await page.getByRole("button", { name: "Edit system, tools and parameters" }).press("Enter");
    const editor = page.getByRole("group", { name: "Edit system, tools and parameters" });
    await editor.getByRole("checkbox", { name: "Offer bash" }).uncheck();
    await editor.getByRole("button", { name: "Save edit" }).press("Enter");
    await person.button("Run").press("Enter");
    await expect.poll(() => person.modelCalls().length).toBe(1);
    expect(person.modelCalls()[0].tools).toBeUndefined();
  });
});
