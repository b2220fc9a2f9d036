// No violation of WCAG A and AA in any state: both languages, both themes, a desk's screen and a phone's, each with each.
import { violations } from "../world/accessibility.mjs";
import { Guide, tongues, tours } from "../world/tour.mjs";
import { expect, test } from "../world/world.mjs";

const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** The sizes and themes in which a language is looked at. */
const looks = {
  "en-US": [[phone, "light"], [desk, "dark"]],
  "zh-CN": [[phone, "dark"], [desk, "light"]],
};

/** Whether anything makes the page wider than its window. */
const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;

for (const [locale, tongue] of Object.entries(tongues)) {
  test.describe(locale, () => {
    // What has just come is faded in: colours are looked at when they stand.
    test.use({ locale, contextOptions: { reducedMotion: "reduce" } });

    for (const [name, tour] of Object.entries(tours)) {
      test(name, async ({ page, bridges, complaints: _ }) => {
        // Each state is tried twice, and a tour has up to two dozen.
        test.setTimeout(10 * 60_000);
        const guide = new Guide(page, tongue);
        await guide.open(bridges[0].link);
        const look = async (state, { sheet, at: seen = page } = {}) => {
          for (const [size, colorScheme] of looks[locale]) {
            await seen.setViewportSize(size);
            const opens = sheet !== undefined && size === phone;
            if (opens) await seen.getByRole("button", { name: sheet, exact: true }).click();
            await seen.emulateMedia({ colorScheme });
            expect.soft(await violations(seen), `${state}, ${size.width}, ${colorScheme}`).toEqual([]);
            expect.soft(await seen.evaluate(isTooWide), `${state}, ${size.width}: too wide`).toBe(false);
            if (opens) await seen.keyboard.press("Escape");
          }
        };
        await tour(guide, look, { bridge: bridges[0] });
      });
    }
  });
}
