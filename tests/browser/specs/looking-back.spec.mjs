// Looking back while a run goes on, and the inspector with it. By keyboard alone.
import { expect, inDialect, test } from "../world/world.mjs";

inDialect("Messages", (dialect) => {
  test("the run goes on meanwhile, and the inspector shows the last call before the moment", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one");
    await person.allow();
    await person.rests();
    await person.say("$ echo two");
    await person.isAskedAbout("echo two");

    // Back to the first answer, while the run waits for the person.
    const slider = page.getByRole("slider", { name: "Time" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(async () => {
      await page.keyboard.press("ArrowRight");
      await expect(slider).toHaveAttribute("aria-valuetext", / answered$/, { timeout: 200 });
    }).toPass();
    await expect(person.message(1, "assistant")).toBeVisible();
    await expect(person.result(2)).toHaveCount(0);
    await expect(page.getByText("The run goes on meanwhile")).toBeVisible();
    await expect(page.getByText("Step does exactly this")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Fork from here" })).toBeDisabled();
    await expect(person.box).toBeDisabled();
    await expect(person.button("Stop")).toBeEnabled();

    const request = await person.inspect("Request");
    await expect(request).toContainText("1 of 3");
    await expect(request).not.toContainText("echo two");
    const response = await person.inspect("Response");
    await expect(response).toContainText("1 of 3");

    // What is asked is asked now, and what it leads to is there when the person comes back.
    const facts = Number(await slider.getAttribute("max"));
    await person.allow();
    await expect.poll(async () => Number(await slider.getAttribute("max"))).toBeGreaterThan(facts);
    await expect(person.button("Stop")).toBeDisabled();
    await expect(person.result(2)).toHaveCount(0);
    await page.getByRole("button", { name: "Back to now" }).press("Enter");
    await person.rests();
    await expect(person.message(7, "assistant")).toBeVisible();
    await expect(await person.inspect("Request")).toContainText("4 of 4");
  });
});
