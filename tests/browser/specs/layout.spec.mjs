// From the narrowest phone to a wide screen: the stages keep apart, and nothing is cut that a person has to read.
import { Guide, tongues } from "../world/tour.mjs";
import { expect, test } from "../world/world.mjs";

const widths = [320, 390, 480, 600, 640, 768, 960, 1024, 1248, 1280, 1440, 1920];

/** What of the deck and of the bar above overlaps, is cut, or leaves the window. */
function slips() {
  const found = [];
  const box = (element) => {
    // A button is as wide as it is drawn: on a phone the words of some are for screen readers alone.
    if (element.matches("button")) return element.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const name = (element) => element.textContent.trim().slice(0, 30);
  const seen = [...document.querySelectorAll(".stage > span, .end, .run-buttons > button, .loop-state > div")]
    .filter((element) => element.checkVisibility() && getComputedStyle(element).clipPath === "none")
    .filter((element) => box(element).width > 0);
  seen.forEach((one, at) => {
    const a = box(one);
    if (a.left < 0 || a.right > window.innerWidth + 0.5) found.push(`leaves the window: ${name(one)}`);
    for (const other of seen.slice(at + 1)) {
      const b = box(other);
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      if (!apart) found.push(`overlap: ${name(one)} / ${name(other)}`);
    }
  });
  const cut = [...document.querySelectorAll("button, .stage > span, .stage code, .end, .loop-state dd")];
  for (const element of cut.filter((element) => element.checkVisibility() && getComputedStyle(element).clipPath === "none")) {
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) found.push(`cut: ${name(element)}`);
  }
  return found;
}

for (const [locale, tongue] of Object.entries(tongues)) {
  test.describe(locale, () => {
    test.use({ locale });

    test("at every width, in mid-run and at the end", async ({ page, bridge, complaints: _ }) => {
      test.setTimeout(5 * 60_000);
      const guide = new Guide(page, tongue);
      await guide.open(bridge.link);
      const look = async (state) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect.soft(await page.evaluate(slips), `${state}, ${width}`).toEqual([]);
          const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
          expect.soft(await page.evaluate(isTooWide), `${state}, ${width}: too wide`).toBe(false);
        }
      };
      await look("empty");
      await guide.choose("practice/run");
      await guide.say("$ sleep 600");
      await expect(guide.question).toBeVisible();
      await look("asked");
      await guide.button(tongue.once).click();
      await expect(guide.list).toContainText(tongue.running);
      await look("running");
      await guide.button(tongue.stop).click();
      await guide.rests(tongue.stopped);
      await look("stopped");
    });
  });
}
