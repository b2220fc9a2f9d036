// The second tool host: a person reads the call and types the result, and no process starts.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects(() => {
  test("what the person types is what the model reads", async ({ person, bridge }) => {
    await person.chooseHost("You are the tool");
    const before = bridge.processIds();
    await person.say("List the Python files in the current directory");
    await expect(person.toolCard).toContainText("find . -maxdepth 1");
    await person.page.getByRole("textbox", { name: "Result" }).fill("./imagined.py");
    await person.button("Return result").click();
    await person.rests();
    await expect(person.result(2)).toContainText("./imagined.py");
    await expect(person.message(3, "assistant")).toContainText("imagined.py");
    expect(bridge.processIds()).toEqual(before);
  });
});
