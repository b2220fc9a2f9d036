// Time: the session as it was after any fact, a branch from there, and two branches side by side. By keyboard alone.
import { expect, inDialect, test } from "../world/world.mjs";

inDialect("Chat Completions", () => {
  test("look back, branch off between two calls, and compare", async ({ person, page, workspace }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one >> ran.txt\n$ echo two >> ran.txt");
    await person.allow();
    await person.allow();
    await person.rests();
    const calls = person.modelCalls().length;

    // Back with the arrow keys, to where the first call has its result and the second has not run.
    const slider = page.getByRole("slider", { name: "Time" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(slider).toHaveAttribute("aria-valuetext", /^fact 1 of \d+: opened$/);
    await expect(page.getByText("the files on your machine are as they are now")).toBeVisible();
    await expect(person.message(0, "user")).toHaveCount(0);
    await expect(async () => {
      await page.keyboard.press("ArrowRight");
      await expect(slider).toHaveAttribute("aria-valuetext", /tool_ended$/, { timeout: 200 });
    }).toPass();
    await expect(person.message(1, "assistant")).toBeVisible();
    await expect(person.result(2)).toHaveCount(0);
    await expect(person.button("Run")).toBeDisabled();
    expect(workspace.read("ran.txt")).toBe("one\ntwo\n");

    // A branch from there: nothing starts until Run, and only the second call runs again.
    await page.getByRole("button", { name: "Fork from here" }).press("Enter");
    await person.rests("A new branch begins here.");
    await person.isNotAsked();
    await person.button("Run").press("Enter");
    await person.isAskedAbout("echo two >> ran.txt");
    await person.deny();
    await person.rests();
    expect(workspace.read("ran.txt")).toBe("one\ntwo\n");
    expect(person.modelCalls()).toHaveLength(calls + 1);

    const list = page.getByRole("navigation", { name: "Sessions" });
    await expect(list.getByText(/^branch of “.*” after fact \d+$/)).toBeVisible();
    await list.getByRole("button", { name: "Rename" }).last().press("Enter");
    const name = list.getByRole("textbox", { name: "Name of the session" });
    await name.fill("denied the second");
    await name.press("Enter");
    await expect(list.getByRole("link", { name: /^denied the second/ })).toBeVisible();

    await list.getByRole("button", { name: "Compare with this branch" }).press("Enter");
    const comparison = page.getByRole("region", { name: "Two branches side by side" });
    await expect(comparison.getByText("the first 2 entries are the same in both")).toBeVisible();
    await expect(comparison.getByRole("region", { name: "this branch" })).toContainText("enied by the user");
    await page.keyboard.press("Escape");
    await expect(comparison).toBeHidden();

    // Both are kept, and the parent can go: its branch is whole.
    await page.reload();
    await person.isReady();
    await expect(person.list).toContainText("enied by the user");
    await list.getByRole("link").first().press("Enter");
    await expect(person.list).not.toContainText("enied by the user");
    await list.getByRole("button", { name: "Delete" }).first().press("Enter");
    const branch = list.getByRole("link", { name: /^denied the second/ });
    await list.getByRole("button", { name: "Delete for good" }).press("Enter");
    // What has the focus keeps it, also when what it hangs below goes.
    await branch.focus();
    await expect(list.getByText(/^branch of a deleted session after fact \d+$/)).toBeVisible();
    await expect(branch).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(person.message(0, "user")).toContainText("echo one");
    await expect(person.list).toContainText("enied by the user");
  });

  test("edit an earlier message and run on from it in a new branch", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo first");
    await person.allow();
    await person.rests();
    await person.message(0, "user").getByRole("button", { name: "Edit" }).press("Enter");
    const editor = page.getByRole("group", { name: "Edit messages[0]" });
    await editor.getByRole("textbox", { name: "Text" }).fill("$ echo changed");
    await editor.getByRole("button", { name: "Run on from here in a new branch" }).press("Enter");
    await person.isAskedAbout("echo changed");
    await person.allow();
    await person.rests();
    await expect(person.message(0, "user")).toContainText("edited");
    await expect(page.getByRole("navigation", { name: "Sessions" }).getByRole("link")).toHaveCount(2);
  });
});

test("open another session while one is being deleted", async ({ person, page }) => {
  await person.chooseModel("practice/run");
  await person.say("$ echo kept");
  await person.allow();
  await person.rests();
  await page.getByRole("slider", { name: "Time" }).press("ArrowLeft");
  await page.getByRole("button", { name: "Fork from here" }).press("Enter");
  await person.rests("A new branch begins here.");
  const list = page.getByRole("navigation", { name: "Sessions" });
  await list.getByRole("link").first().press("Enter");
  await expect(person.message(3, "assistant")).toBeVisible();

  // The parent goes, and before its branch has its own copy of what they share, a person opens the branch.
  await list.getByRole("button", { name: "Delete" }).first().press("Enter");
  const [sure, branch] = [list.getByRole("button", { name: "Delete for good" }), list.getByRole("link").nth(1)];
  const link = await branch.elementHandle();
  await sure.evaluate((button, link) => (button.click(), link.click()), link);
  await expect(list.getByRole("link")).toHaveCount(1);
  await expect(list.getByRole("link")).toHaveAttribute("aria-current", "true");
  await expect(person.message(0, "user")).toContainText("echo kept");
  await page.reload();
  await person.isReady();
  await expect(person.message(0, "user")).toContainText("echo kept");
});
