// Stop stops now, says so, and reaches the process.
import { expect, inBothDialects, test } from "../world/world.mjs";
import { longSleep, marked } from "../world/processes.mjs";

inBothDialects(() => {
  for (const [what, command] of [
    ["a command", (sleep) => sleep],
    ["a command that ignores TERM", (sleep) => `trap '' TERM INT HUP; ${sleep}; ${sleep}`],
    ["a command and what left its session", (sleep) => `setsid ${sleep} & disown; ${sleep}`],
  ]) {
    test(`nothing is left of ${what}`, async ({ person }) => {
      const sleep = longSleep();
      await person.chooseModel("practice/run");
      await person.say(`$ ${command(sleep.command)}`);
      await person.allow();
      await expect.poll(() => marked(sleep.command).length).toBeGreaterThan(0);
      await person.stop();
      await person.rests("You stopped it.");
      await expect.poll(() => marked(sleep.marker)).toEqual([]);
      await expect(person.list).toContainText("Error: Stopped by the user");
      await expect(person.page.getByText("The command was killed; what it did before stays done.")).toBeVisible();
    });
  }

  test("what a command printed before is kept, live and after", async ({ person }) => {
    const sleep = longSleep();
    await person.chooseModel("practice/run");
    await person.say(`$ echo "so far"; ${sleep.command}`);
    await person.allow();
    await expect(person.page.getByText("so far", { exact: true }).first()).toBeVisible();
    await person.stop();
    await person.rests("You stopped it.");
    await expect(person.list).toContainText("Error: Stopped by the user");
    expect(marked(sleep.marker)).toEqual([]);
  });

  test("between two calls: the second never runs, and the conversation stays usable", async ({ person, workspace }) => {
    const sleep = longSleep();
    await person.chooseModel("practice/run");
    await person.say(`$ ${sleep.command}\n$ touch second.txt`);
    await person.allow();
    await expect.poll(() => marked(sleep.marker).length).toBeGreaterThan(0);
    await person.stop();
    await person.rests("You stopped it.");
    await person.say("$ echo still usable");
    await person.isAskedAbout("echo still usable");
    await person.allow();
    await person.rests();
    expect(workspace.has("second.txt")).toBe(false);
    expect(marked(sleep.marker)).toEqual([]);
  });

  test("while a model is silent", async ({ person }) => {
    await person.chooseModel("practice/fault-stall");
    await person.say("Go ahead");
    await expect(person.message(1, "assistant")).toContainText("This answer is scripted");
    await person.stop();
    await person.rests("You stopped it.");
    await person.chooseModel("practice/list-python-files");
    await person.say("List the Python files in the current directory");
    await person.allow();
    await person.rests();
  });
});
