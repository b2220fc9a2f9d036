// What is said while a tool runs waits in line: it can be seen and taken back, and is sent after the results.
import { expect, inDialect, test } from "../world/world.mjs";

inDialect("Chat Completions", () => {
  test("said while a command runs", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ sleep 2; echo slept");
    await person.allow();
    await expect(person.message(1, "assistant")).toContainText("running on host-bridge");
    for (const words of ["Never mind this", "Stop after that"]) {
      await person.box.fill(words);
      await person.box.press("Enter");
    }
    const line = page.getByRole("list", { name: "Waiting to be sent after the results" });
    await expect(line.getByRole("listitem")).toHaveCount(2);
    await line.getByRole("button", { name: "Take back: Never mind this" }).press("Enter");
    await expect(line.getByRole("listitem")).toHaveCount(1);

    await person.rests();
    await expect(line).toHaveCount(0);
    await expect(person.result(2)).toContainText("slept");
    await expect(person.message(3, "user")).toContainText("Stop after that");
    const sent = JSON.stringify(person.modelCalls().at(-1).messages);
    expect(sent.indexOf("slept")).toBeLessThan(sent.indexOf("Stop after that"));
    expect(sent).not.toContain("Never mind this");
  });
});
