// Both languages and both themes, as the system has them and as the person chooses; and no accessibility violation.
import { violations } from "../world/accessibility.mjs";
import { expect, inDialect, test } from "../world/world.mjs";

/** Whether words are brighter than what they stand on can be. */
const textIsLight = (page) =>
  page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    context.fillStyle = getComputedStyle(document.body).color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return red + green + blue > 3 * 128;
  });

for (const [locale, language] of [
  ["en-US", { tag: "en", message: "Message", sent: "List the Python files in the current directory", once: "Allow once", settings: "Settings", cost: "Cost" }],
  ["zh-CN", { tag: /^zh/, message: "消息", sent: "帮我看看当前目录里有哪些 Python 文件", once: "允许一次", settings: "设置", cost: "开销" }],
]) {
  for (const colorScheme of ["light", "dark"]) {
    test.describe(`${locale}, ${colorScheme}`, () => {
      test.use({ locale, colorScheme });

      test("as the system has it, accessible at rest, asked and finished", async ({ page, bridge, complaints: _ }) => {
        await page.goto(bridge.link);
        await expect(page.locator("body[data-ready]")).toBeAttached();
        await expect(page.locator("html")).toHaveAttribute("lang", language.tag);
        expect(await textIsLight(page)).toBe(colorScheme === "dark");
        expect(await violations(page)).toEqual([]);

        await page.getByRole("textbox", { name: language.message, exact: true }).fill(language.sent);
        await page.keyboard.press("Enter");
        const once = page.getByRole("button", { name: language.once, exact: true });
        await expect(once).toBeVisible();
        expect(await violations(page)).toEqual([]);
        await once.click();
        await expect(page.getByRole("listitem", { name: "messages[3] assistant", exact: true })).toContainText("utils.py");
        await expect(page.getByRole("listitem", { name: "messages[3] assistant", exact: true })).not.toHaveAttribute(
          "aria-busy",
          "true",
        );
        expect(await violations(page)).toEqual([]);

        await page.getByRole("tab", { name: language.cost, exact: true }).click();
        await expect(page.getByRole("tabpanel", { name: language.cost, exact: true }).getByRole("table")).toHaveCount(2);
        expect(await violations(page)).toEqual([]);

        await page.getByRole("button", { name: language.settings, exact: true }).click();
        await expect(page.getByRole("dialog")).toBeVisible();
        expect(await violations(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toBeHidden();

        await page.setViewportSize({ width: 390, height: 844 });
        expect(await violations(page)).toEqual([]);
        const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
        expect(await page.evaluate(isTooWide)).toBe(false);
      });
    });
  }
}

inDialect("Chat Completions", () => {
  test("the person chooses, and it is kept", async ({ person, page }) => {
    await person.button("中文").click();
    await expect(page.locator("html")).toHaveAttribute("lang", /^zh/);
    await expect(page.getByRole("textbox", { name: "消息", exact: true })).toBeVisible();
    await page.reload();
    await person.isReady();
    await expect(page.locator("html")).toHaveAttribute("lang", /^zh/);
    await page.getByRole("button", { name: "English", exact: true }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(person.box).toBeVisible();

    for (const [theme, isLight] of [
      ["light", false],
      ["dark", true],
    ]) {
      await page.getByRole("button", { name: /^Theme: / }).click();
      await expect(person.button(`Theme: ${theme}`)).toBeVisible();
      await expect.poll(() => textIsLight(page)).toBe(isLight);
    }
    await page.reload();
    await person.isReady();
    expect(await textIsLight(page)).toBe(true);
  });
});
