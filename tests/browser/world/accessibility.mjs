// What is wrong with the page for whoever does not see it, or not well.
import axe from "axe-core";

/** The rules of WCAG A and AA that the page breaks now. */
export async function violations(page) {
  // Injected by the debugger: the page's policy would refuse a script element.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n  ")}`);
}
