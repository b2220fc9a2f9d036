// The tab "Cost": what took time, what was read and written, and what it cost by a price that a person can write down.
import { expect, inBothDialects, test } from "../world/world.mjs";

/** A table's rows as lists of what stands in their cells. */
const rows = (table) =>
  table.getByRole("row").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));

const number = (text) => Number(text.replaceAll(",", ""));

inBothDialects(() => {
  test("time, tokens and money of a session, by keyboard alone, and as it was at an earlier fact", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await page.getByRole("tab", { name: "Request", exact: true }).press("End");
    const cost = page.getByRole("tabpanel", { name: "Cost", exact: true });
    await expect(cost.getByText("The model has not been called yet.")).toBeVisible();

    await person.say("$ echo one\n$ echo two");
    await person.allow();
    await person.allow();
    await person.rests();
    const time = cost.getByRole("table", { name: "Time" });
    await expect(time.getByRole("row")).toHaveCount(5);
    const lasted = expect.stringMatching(/^\d[\d.]* m?s$/);
    expect(await rows(time)).toEqual([
      ["What", "First byte", "Took"],
      ["model call 1", lasted, lasted],
      ["bash echo one", "", lasted],
      ["bash echo two", "", lasted],
      ["model call 2", lasted, lasted],
    ]);
    const tokens = cost.getByRole("table", { name: "Context and tokens" });
    const told = await rows(tokens);
    expect(told.map(([name, , , , , money]) => [name, money])).toEqual([
      ["Call", "Money"],
      ["1", "no price"],
      ["2", "no price"],
      ["Total", "no price"],
    ]);
    expect(number(told[1][1]) + number(told[2][1])).toBe(number(told[3][1]));
    expect(number(told[2][1])).toBeGreaterThan(number(told[1][1]));

    await expect(cost.getByText("2 answers not counted: no price or no token count")).toBeVisible();

    // A price, written down: it counts at once and is kept.
    const price = cost.getByRole("group", { name: "practice/run" });
    await expect(price.getByText("No price is known, so no money is counted.")).toBeVisible();
    await price.getByRole("textbox", { name: "Input" }).focus();
    await page.keyboard.type("1");
    await page.keyboard.press("Tab");
    await expect(price.getByText("Not counted until both input and output have a price.")).toBeVisible();
    await expect(tokens.getByText("no price")).toHaveCount(3);
    await page.keyboard.type("2");
    await page.keyboard.press("Tab");
    const millionths = number(told[1][1]) + 2 * number(told[1][4]);
    const money = `$${(millionths / 1e6).toFixed(6).replace(/0+$/, "")}`;
    await expect(tokens.getByRole("row").nth(1).getByText(money, { exact: true })).toBeVisible();
    await page.reload();
    await person.isReady();
    await person.inspect("Cost");
    await expect(tokens.getByRole("row").nth(1).getByText(money, { exact: true })).toBeVisible();
    await price.getByRole("combobox", { name: "Currency" }).selectOption("Chinese yuan");
    await expect(tokens.getByRole("row").nth(1)).toContainText(money.replace("$", "¥"));

    // As it was before anything was sent, and after the first answer.
    const slider = page.getByRole("slider", { name: "Time" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(cost.getByText("The model has not been called yet.")).toBeVisible();
    await expect(async () => {
      await page.keyboard.press("ArrowRight");
      await expect(slider).toHaveAttribute("aria-valuetext", /answered$/, { timeout: 200 });
    }).toPass();
    await expect(time.getByRole("row")).toHaveCount(2);
    await page.keyboard.press("End");
    await expect(time.getByRole("row")).toHaveCount(5);

    await price.getByRole("button", { name: "Remove this price" }).press("Enter");
    await expect(tokens.getByText("no price")).toHaveCount(3);
  });

  test("failed calls and the waits between them are told apart", async ({ person }) => {
    await person.chooseModel("practice/fault-500");
    await person.say("Go ahead");
    await person.rests("The model call failed.");
    const cost = await person.inspect("Cost");
    const names = (await rows(cost.getByRole("table", { name: "Time" }))).slice(1).map(([name]) => name);
    expect(names).toEqual([
      "model call 1 failed",
      "wait before a retry",
      "model call 2 failed",
      "wait before a retry",
      "model call 3 failed",
    ]);
  });
});
