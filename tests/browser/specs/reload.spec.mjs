// Opening never acts: a reloaded page shows the conversation, follows what still runs, and starts nothing.
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

  test("while a command runs: it is taken up again, whole, and nothing else goes on", async ({ person, page, workspace }) => {
    const count = 'for n in $(seq 1 8); do echo "n $n"; sleep 0.25; done';
    const command = `echo $$ >> ran.txt; ${count}; until [ -e go.txt ]; do sleep 0.05; done; echo over`;
    await person.say(`$ ${command}`);
    await person.allow();
    await expect(person.list).toContainText("n 2");
    await page.reload();
    await person.isReady();
    await expect(person.list).toContainText("n 8");
    await expect(person.button("Stop")).toBeEnabled();
    await expect(page.getByText("letting go at the next seam …")).toBeVisible();
    workspace.write("go.txt", "");
    await expect(person.result(2)).toContainText("over");
    await expect(person.button("Stop")).toBeDisabled();
    const lines = (text) => text.split("\n").filter((line) => /^(n \d+|over)$/.test(line));
    const all = [...Array.from({ length: 8 }, (_, n) => `n ${n + 1}`), "over"];
    const told = async () => lines((await person.messages())[2].text);
    expect(await told()).toEqual(all);
    await person.isNotAsked();
    expect(await person.names()).toHaveLength(3);
    expect(person.modelCalls()).toHaveLength(1);
    // It is stored, and stands there without being taken up a second time.
    await page.reload();
    await person.isReady();
    await expect(person.result(2)).toContainText("over");
    expect(await told()).toEqual(all);
    await person.rests("The page was closed while something was under way.");
    await person.hasShell();
    await person.run();
    await person.rests();
    await expect(person.message(3, "assistant")).toContainText("over");
    expect(workspace.read("ran.txt")).toMatch(/^\d+\n$/);
  });

  test("a command that ended meanwhile has its result, also for Run", async ({ person, page, bridge, workspace }) => {
    await person.say("$ until [ -e go.txt ]; do sleep 0.05; done; echo once | tee -a ran.txt; exit 3");
    await person.allow();
    await expect.poll(() => marked("go.txt").length).toBeGreaterThan(0);
    await page.goto("about:blank");
    workspace.write("go.txt", "");
    await expect.poll(() => marked("go.txt").length).toBe(0);
    await person.open(bridge.link);
    await expect(person.result(2)).toContainText("(exit code 3)");
    await expect(person.button("Run")).toBeEnabled();
    expect(person.modelCalls()).toHaveLength(1);
    await person.run();
    await person.rests();
    expect(workspace.read("ran.txt")).toBe("once\n");
  });

  test("Run beside a command that was taken up goes on after it", async ({ person, page, workspace }) => {
    await person.say("$ until [ -e go.txt ]; do sleep 0.05; done; echo once | tee -a ran.txt");
    await person.allow();
    await expect.poll(() => marked("go.txt").length).toBeGreaterThan(0);
    await page.reload();
    await person.isReady();
    await expect(person.button("Stop")).toBeEnabled();
    await person.run();
    await expect(page.getByText("letting go at the next seam …")).toBeHidden();
    expect(person.modelCalls()).toHaveLength(1);
    workspace.write("go.txt", "");
    await person.rests();
    await expect(person.message(3, "assistant")).toContainText("once");
    expect(workspace.read("ran.txt")).toBe("once\n");
  });

  test("Stop reaches a command that was taken up", async ({ person, page }) => {
    const sleep = longSleep();
    await person.say(`$ echo "so far"; ${sleep.command} & ${sleep.command}`);
    await person.allow();
    await expect.poll(() => marked(sleep.marker).length).toBeGreaterThan(1);
    await page.reload();
    await person.isReady();
    await expect(person.list).toContainText("so far");
    await person.stop();
    await person.rests("You stopped it.");
    await expect.poll(() => marked(sleep.marker)).toEqual([]);
    await expect(person.result(2)).toContainText("Error: Stopped by the user");
    expect(person.modelCalls()).toHaveLength(1);
  });

  test("a new bridge knows nothing of it: its outcome is unknown", async ({ person, page, bridges, workspace }) => {
    const sleep = longSleep();
    await person.say(`$ echo once >> ran.txt; ${sleep.command}`);
    await person.allow();
    await expect.poll(() => marked(sleep.marker).length).toBeGreaterThan(0);
    await page.goto("about:blank");
    expect(await bridges.at(-1).end("SIGKILL")).toEqual([]);
    bridges.push(await bridges.at(-1).restarted());
    await person.open(bridges.at(-1).link);
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
