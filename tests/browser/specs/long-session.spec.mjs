// A session longer than what is drawn of it: its end is there at once, at every moment, and its beginning on demand.
import { recordRun, storeRepeated } from "../benches/stored.mjs";
import { expect, test } from "../world/world.mjs";

test("a long session is drawn from its end, and earlier entries when a person goes back", async ({ person, page }) => {
  await recordRun(person);
  const stored = await storeRepeated(page, { wanted: 600, id: "long" });
  await page.reload();
  await person.isReady();
  await page.locator(`a#session-${stored.id}`).press("Enter");
  const entry = (index) => person.list.getByRole("listitem", { name: new RegExp(`^messages\\[${index}\\] `) });
  const last = entry(stored.messages - 1);
  await expect(last).toBeInViewport();
  await expect(entry(0)).toHaveCount(0);

  // Another moment, and back.
  const slider = page.getByRole("slider", { name: "Time" });
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /^fact 1 of \d+: opened$/);
  await expect(person.list.getByRole("listitem", { name: /^messages\[/ })).toHaveCount(0);
  await slider.press("PageUp");
  const moment = Number(await slider.inputValue());
  await expect(slider).toHaveAttribute("aria-valuetext", new RegExp(`^fact ${moment} of `));
  await expect(entry(stored.after[moment] - 1)).toBeInViewport();
  await expect(entry(stored.after[moment])).toHaveCount(0);
  await slider.press("End");
  await expect(last).toBeInViewport();

  const earlier = page.getByRole("button", { name: /^Show earlier entries/ });
  await expect(async () => {
    if (await earlier.isVisible()) await earlier.press("Enter");
    await expect(earlier).toBeHidden({ timeout: 300 });
  }).toPass();
  await expect(entry(0)).toHaveCount(1);
  await expect(last).toHaveCount(1);
});
