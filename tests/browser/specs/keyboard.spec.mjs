// A whole run without a mouse.
import { expect, inBothDialects, test } from "../world/world.mjs";

/** Presses Tab until `target` has the focus. */
async function tabTo(page, target) {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

inBothDialects(() => {
  test("say, allow, read", async ({ person, page, workspace }) => {
    await tabTo(page, person.box);
    await page.keyboard.type("$ echo first line >> keys.txt");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("$ echo second line >> keys.txt");
    await expect(person.box).toHaveValue("$ echo first line >> keys.txt\n$ echo second line >> keys.txt");
    await page.keyboard.press("Enter");
    for (const line of ["first", "second"]) {
      const command = `echo ${line} line >> keys.txt`;
      await person.isAskedAbout(command);
      // The focus comes to the question by itself.
      await expect(person.question.locator(":focus").or(person.question.and(page.locator(":focus")))).toBeVisible();
      await tabTo(page, person.question.getByRole("button", { name: "Allow once", exact: true }));
      await expect(async () => {
        await page.keyboard.press("Enter");
        await expect(person.question.getByText(command, { exact: true })).toBeHidden({ timeout: 300 });
      }).toPass();
    }
    await person.rests();
    expect(workspace.read("keys.txt")).toBe("first line\nsecond line\n");
  });

  test("the tabs of the inspector are walked with the arrows", async ({ person, page }) => {
    const tab = (name) => page.getByRole("tab", { name, exact: true });
    await tab("Request").focus();
    for (const name of ["Response", "State", "Tool"]) {
      await page.keyboard.press("ArrowRight");
      await expect(tab(name)).toBeFocused();
    }
    await expect(tab("Tool")).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("tabpanel", { name: "Tool", exact: true })).toBeVisible();
    await person.isNotAsked();
  });
});
