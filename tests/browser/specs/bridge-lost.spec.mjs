// The bridge goes, and another comes: the page says so, keeps everything, and runs nothing again.
import { expect, inBothDialects, test } from "../world/world.mjs";
import { longSleep, marked } from "../world/processes.mjs";

const GONE = "The host bridge does not answer. Everything here is kept.";
const NEW = "The host bridge is a new one and does not know this tab.";

inBothDialects(() => {
  test("killed while a command runs, and started anew", async ({ person, bridges, context, workspace }) => {
    const sleep = longSleep();
    const command = `echo once >> ran.txt; ${sleep.command}`;
    await person.chooseModel("practice/run");
    await person.say(`$ ${command}`);
    await person.allow();
    await expect.poll(() => marked(sleep.command).length).toBeGreaterThan(0);

    expect(await bridges.at(-1).end("SIGKILL")).toEqual([]);
    await expect(person.page.getByText(GONE)).toBeVisible();
    await expect(person.message(0, "user")).toBeVisible();
    await expect(person.message(1, "assistant")).toContainText(command);

    bridges.push(await bridges.at(-1).restarted());
    await expect(person.page.getByText(NEW)).toBeVisible({ timeout: 30_000 });

    // Nothing goes on by itself, and nothing has been run again.
    await expect(person.button("Stop")).toBeDisabled();
    expect(workspace.read("ran.txt")).toBe("once\n");

    const other = await context.newPage();
    await other.goto(bridges.at(-1).link);
    await expect(other.locator("body[data-ready]")).toBeAttached();
    await expect(person.page.getByText(NEW)).toBeHidden();
    await other.close();

    await person.run();
    await person.rests();
    await expect(person.result(2)).toContainText("its outcome is unknown");
    expect(workspace.read("ran.txt")).toBe("once\n");

    await person.say("$ echo the new one works");
    await person.isAskedAbout("echo the new one works");
    await person.allow();
    await person.rests();
  });
});
