// The rules of WCAG A and AA, as axe-core tries them.
import axe from "axe-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Only what is asked for: ways to find each element, and what passes, take most of the time. No rule here reads the styles. */
const options = { runOnly: tags, resultTypes: ["violations"], selectors: false, preload: false, iframes: false };

/** The rules that the page breaks now, each with the elements that do. */
export async function violations(page) {
  // Injected by the debugger: the page's policy would refuse a script element.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n  ")}`);
}
