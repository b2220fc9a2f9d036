// A session in a second tab: read there, with one line that says why, until it is taken over.
import { Person } from "../world/person.mjs";
import { expect, inDialect, test } from "../world/world.mjs";

const WHY = "This session is open in another tab, so here it can only be read.";

/** Sees that the page only shows the session, and that one line says so. */
async function onlyReads(person) {
  const notices = person.page.getByRole("status", { name: "Notices" });
  await expect(notices.getByRole("strong")).toHaveText([WHY]);
  await expect(person.box).toBeDisabled();
  await expect(person.box).toHaveAttribute("placeholder", WHY);
  await expect(person.button("Run")).toBeDisabled();
}

inDialect("Messages", (dialect) => {
  test("it is taken over, and back, with what was written meanwhile", async ({ person, page, context, bridge }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one");
    await person.allow();
    await person.rests();

    const there = new Person(await context.newPage(), dialect);
    await there.open(bridge.link);
    await expect(there.message(0, "user")).toContainText("echo one");
    await onlyReads(there);
    await there.button("Take over here").press("Enter");
    await expect(there.box).toBeFocused();
    await onlyReads(person);
    await there.say("$ echo two");
    await there.allow();
    await there.rests();

    await person.button("Take over here").press("Enter");
    await expect(person.box).toBeEnabled();
    await expect(person.list).toContainText("echo two");
    await onlyReads(there);
    await person.say("$ echo three");
    await person.allow();
    await person.rests();
    await expect(page.getByRole("status", { name: "Notices" }).getByRole("strong")).toHaveCount(0);
  });

  test("while it runs in its tab, it stays there until it rests", async ({ person, context, bridge }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one");
    await person.isAskedAbout("echo one");
    const there = new Person(await context.newPage(), dialect);
    await there.open(bridge.link);
    await onlyReads(there);
    await there.button("Take over here").press("Enter");
    await expect(there.page.getByText("Asked. It comes here when nothing runs there.")).toBeVisible();
    await person.isAskedAbout("echo one");
    await person.allow();
    await person.rests();
    await onlyReads(person);
    await expect(there.box).toBeEnabled();
    await expect(there.list).toContainText("one");
    await there.rests();
  });
});
