// Step does exactly one step of the loop; Pause lets go at the next seam; Run goes on from there.
import { expect, inDialect, test } from "../world/world.mjs";

inDialect("Chat Completions", () => {
  test("Pause at the tool seam, one Step after another, then Run", async ({ person, workspace }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo stepped >> steps.txt");
    await person.pause();
    await expect(person.message(1, "assistant")).not.toHaveAttribute("aria-busy", "true");
    await expect(person.button("Pause")).toBeDisabled();
    await person.isNotAsked();
    expect(person.modelCalls()).toHaveLength(1);

    // Settle: the person is asked, and nothing runs yet.
    await person.step();
    await person.isAskedAbout("echo stepped >> steps.txt");
    await person.allow();
    await expect(person.button("Step")).toBeEnabled();
    expect(workspace.has("steps.txt")).toBe(false);

    // RunTool: it runs, and its result is not in messages yet.
    await person.step();
    await expect.poll(() => workspace.has("steps.txt")).toBe(true);
    await expect(person.button("Step")).toBeEnabled();
    await expect(person.result(2)).toHaveCount(0);

    // WriteBack: now it is.
    await person.step();
    await expect(person.result(2)).toBeVisible();

    // Prepare: the request is made and not sent.
    await expect(person.button("Step")).toBeEnabled();
    await person.step();
    await expect(person.button("Step")).toBeEnabled();
    expect(person.modelCalls()).toHaveLength(1);

    // CallModel: it is sent, once.
    await person.step();
    await person.rests();
    expect(person.modelCalls()).toHaveLength(2);
    expect(workspace.read("steps.txt")).toBe("stepped\n");
  });

  test("Pause at the model seam: the results are stored and no call goes out until Run", async ({ person }) => {
    await person.chooseModel("practice/run");
    await person.say("$ sleep 1; echo seam");
    await person.allow();
    await person.pause();
    await expect(person.result(2)).toContainText("seam");
    await expect(person.button("Stop")).toBeDisabled();
    expect(person.modelCalls()).toHaveLength(1);
    await person.run();
    await person.rests();
    await expect(person.message(3, "assistant")).toContainText("seam");
    expect(person.modelCalls()).toHaveLength(2);
  });

  test("Pause takes a question back, and Run asks it again", async ({ person, workspace }) => {
    await person.chooseModel("practice/run");
    await person.say("$ touch asked.txt");
    await person.isAskedAbout("touch asked.txt");
    await person.pause();
    await person.isNotAsked();
    await expect(person.button("Stop")).toBeDisabled();
    await person.run();
    await person.isAskedAbout("touch asked.txt");
    expect(workspace.has("asked.txt")).toBe(false);
    await person.allow();
    await person.rests();
    expect(workspace.has("asked.txt")).toBe(true);
  });
});
