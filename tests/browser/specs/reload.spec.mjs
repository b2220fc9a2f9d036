// Opening never acts: a reloaded page shows the conversation and starts nothing.
import { expect, inBothDialects, test } from "../world/world.mjs";
import { longSleep, marked } from "../world/processes.mjs";

inBothDialects(() => {
  test.beforeEach(({ person }) => person.chooseModel("practice/run"));

  test("a finished conversation is kept, and nothing starts", async ({ person, page, bridge, workspace }) => {
    const idle = bridge.processIds().length;
    await person.say("$ echo once | tee -a ran.txt");
    await person.allow();
    await person.rests();
    const before = await person.messages();
    await expect.poll(() => bridge.processIds().length).toBe(idle);
    const [processes, calls] = [bridge.processIds(), person.modelCalls().length];
    await page.reload();
    await person.isReady();
    await person.hasShell();
    await expect(person.message(3, "assistant")).toBeVisible();
    expect((await person.messages()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    await expect(person.message(3, "assistant")).toContainText("once");
    await person.isNotAsked();
    expect(person.modelCalls()).toHaveLength(calls);
    expect(bridge.processIds()).toEqual(processes);
    expect(workspace.read("ran.txt")).toBe("once\n");
  });

  test("while asked: nobody is asked until Run", async ({ person, page, workspace }) => {
    await person.say("$ echo once >> ran.txt");
    await person.isAskedAbout("echo once >> ran.txt");
    await page.reload();
    await person.isReady();
    await person.rests("The page was closed while something was under way.");
    await person.isNotAsked();
    expect(workspace.has("ran.txt")).toBe(false);
    await person.hasShell();
    await person.run();
    await person.isAskedAbout("echo once >> ran.txt");
    await person.allow();
    await person.rests();
    expect(workspace.read("ran.txt")).toBe("once\n");
  });

  test("while a command runs: its outcome is unknown, and it is not run again", async ({ person, page, workspace }) => {
    const sleep = longSleep();
    const command = `echo once >> ran.txt; ${sleep.command}`;
    await person.say(`$ ${command}`);
    await person.allow();
    await expect.poll(() => marked(sleep.marker).length).toBeGreaterThan(0);
    await page.reload();
    await person.isReady();
    await person.rests("The page was closed while something was under way.");
    await person.hasShell();
    await person.run();
    await person.rests();
    await expect(person.result(2)).toContainText("its outcome is unknown");
    expect(workspace.read("ran.txt")).toBe("once\n");
  });

  test("while the model answers: the answer is not kept, and Run calls again", async ({ person, page }) => {
    await person.say("$ echo again");
    await expect(person.message(1, "assistant")).toBeVisible();
    await page.reload();
    await person.isReady();
    await person.hasShell();
    await person.rests("The page was closed while something was under way.");
    expect(person.modelCalls()).toHaveLength(1);
    await person.run();
    await person.isAskedAbout("echo again");
    await person.allow();
    await person.rests();
  });
});
