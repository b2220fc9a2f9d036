// The colours of output: seen by the person, legible in both themes, and unknown to the model.
import { expect, test } from "../world/world.mjs";

const HUES = ["red", "green", "yellow", "blue", "magenta", "cyan"];

/** The contrast of each coloured piece with what it stands on (WCAG 2.2, 1.4.3). */
function contrasts(region) {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const luminance = (...colours) => {
    context.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...region.querySelectorAll("span[class]")].map((span) => {
    const grounds = [];
    for (let element = span; element; element = element.parentElement) {
      grounds.unshift(getComputedStyle(element).backgroundColor);
    }
    const [ground, ink] = [luminance(...grounds), luminance(...grounds, getComputedStyle(span).color)];
    const [light, dark] = [Math.max(ground, ink), Math.min(ground, ink)];
    return { text: span.textContent, class: span.className, ratio: (light + 0.05) / (dark + 0.05) };
  });
}

test("output keeps its colours for the person, and the model reads plain text", async ({ person, page }) => {
  await person.chooseModel("practice/run");
  const inks = HUES.map((hue, place) => `\\033[3${[1, 2, 3, 4, 5, 6][place]}m${hue}`).join(" ");
  const grounds = HUES.map((hue, place) => `\\033[4${[1, 2, 3, 4, 5, 6][place]}mon-${hue}`).join(" ");
  const grey = "\\033[0;90mgrey \\033[0;7minverse\\033[0m plain";
  const hostile = "\\033]8;;https://evil.example\\007link\\033]8;;\\007 \\033[8mseen\\033[0m\\033]0;title\\007";
  await person.say(`$ printf '${inks} ${grounds} ${grey} ${hostile}'`);
  await person.allow();
  await person.rests();
  const words = `${HUES.join(" ")} ${HUES.map((hue) => `on-${hue}`).join(" ")} grey inverse plain link seen`;
  await expect(person.result(2)).toContainText(words);
  const [, second] = person.modelCalls();
  expect(JSON.stringify(second)).toContain(words);

  const panel = await person.inspect("Tool");
  const output = panel.getByLabel("Output so far");
  await expect(output).toContainText(words);
  await expect(output.getByRole("link")).toHaveCount(0);
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    const found = await output.evaluate(contrasts);
    const expected = [...HUES.map((hue) => `in-${hue}`), ...HUES.map((hue) => `on-${hue}`), "in-grey", "on-grey"];
    expect(found.map((piece) => piece.class)).toEqual(expected);
    expect(found.filter(({ ratio }) => ratio < 4.5), theme).toEqual([]);
  }
});
