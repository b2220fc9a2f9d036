// Lesson 4's broken calls: each is fed back as that call's result, nobody is asked, and no process starts.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects(() => {
  test("six broken arguments, six results, no process", async ({ person, bridge }) => {
    await person.chooseModel("practice/bad-arguments");
    const before = bridge.processIds();
    await person.say("Go ahead");
    await person.rests();
    const results = [
      "Error: invalid tool arguments - ",
      "Error: missing command.",
      "Error: missing command.",
      "Error: invalid tool arguments - command must be string, not number",
      "Error: invalid tool arguments - they must be an object, not array",
      "Error: invalid tool arguments - they must be an object, not null",
    ];
    for (const [nth, result] of results.entries()) {
      await expect(person.result(2 + 2 * nth)).toContainText(result);
    }
    await expect(person.message(13, "assistant")).toContainText("Error: missing command.");
    expect(bridge.processIds()).toEqual(before);
  });

  for (const [model, result] of [
    ["practice/unknown-tool", "Error: unknown tool read_file. The tools are: bash"],
    ["practice/bad-json", "Error: invalid tool arguments - "],
  ]) {
    test(`${model} comes back as a result`, async ({ person, bridge }) => {
      await person.chooseModel(model);
      const before = bridge.processIds();
      await person.say("Go ahead");
      await person.rests();
      await expect(person.result(2)).toContainText(result);
      await expect(person.message(3, "assistant")).toContainText(result);
      expect(bridge.processIds()).toEqual(before);
    });
  }
});
