// A call and its result: a line ties them, a link leads from each to the other, and what is new since the last request is
// marked.
import { expect, inBothDialects, test } from "../world/world.mjs";

/** How strongly the line of a call or a result is drawn. */
const line = (end) => end.evaluate((element) => getComputedStyle(element, "::before").opacity);

inBothDialects((dialect) => {
  test("from a call to its result and back, by keyboard", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one\n$ echo two");
    await person.isAskedAbout("echo one");
    await expect(person.message(1, "assistant")).toContainText("added since the last request");
    await expect(person.message(0, "user")).not.toContainText("added since the last request");
    await person.allow();
    await person.allow();
    await person.rests();

    const [call, result] = [/^tool_use bash /, /^tool_result /].map((name) => person.list.getByRole("group", { name }).nth(1));
    await expect(result).toContainText("two");
    const holds = dialect.resultRole === "tool" ? 3 : 2;
    await call.getByRole("link", { name: `result in messages[${holds}]` }).press("Enter");
    await expect(result).toBeFocused();
    // Each end draws its half, faint until one of them is looked at.
    const first = person.list.getByRole("group", { name: /^tool_use bash / }).first();
    await expect.poll(() => Promise.all([call, result, first].map(line))).toEqual(["1", "1", "0.5"]);
    await result.getByRole("link", { name: "call in messages[1]" }).press("Enter");
    await expect(call).toBeFocused();

    const before = await result.boundingBox();
    await first.hover();
    await expect.poll(() => line(first)).toBe("1");
    expect((await result.boundingBox()).height).toBe(before.height);

    await expect(person.list.getByText("added since the last request")).toHaveCount(1);
    await expect(person.message(holds + 1, "assistant")).toContainText("added since the last request");
  });
});
