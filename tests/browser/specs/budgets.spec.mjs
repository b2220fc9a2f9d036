// A run that spends its budget, or asks for the same again and again, rests for a reason of its own; a person lets it on.
import { expect, test } from "../world/world.mjs";

const goOn = (page) => page.getByRole("button", { name: "Continue with this much more" });

test("tokens: it rests, and goes on with as many more as are typed", async ({ person, page }) => {
  await person.chooseModel("practice/turn-limit");
  await person.settings((settings) => settings.getByLabel("Tokens, in and out").fill("1"));
  await person.say("Go ahead");
  await person.allow();
  await person.rests("This message has spent its one token.");
  await expect(person.result(2)).toContainText("call 1");
  expect(person.modelCalls()).toHaveLength(1);

  // By keyboard alone: nothing, then a number.
  const field = page.getByRole("textbox", { name: "Tokens more" });
  await field.focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("0");
  await expect(goOn(page)).toBeDisabled();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("100000");
  await page.keyboard.press("Enter");
  await person.isAskedAbout('echo "call 2"');
  await person.stop();
});

test("money: counted by the price in the tab Cost, and not without one", async ({ person, page }) => {
  await person.chooseModel("practice/turn-limit");
  await person.settings((settings) => settings.getByLabel("Money").fill("0.5"));
  await person.say("Go ahead");
  await person.allow();
  await person.isAskedAbout('echo "call 2"');
  await person.stop();

  const cost = await person.inspect("Cost");
  const price = cost.getByRole("group", { name: "practice/turn-limit" });
  await price.getByRole("textbox", { name: "Input" }).fill("1000000");
  await price.getByRole("textbox", { name: "Output" }).fill("1");
  await price.getByRole("textbox", { name: "Output" }).press("Tab");
  await person.say("Go ahead");
  await person.allow();
  await person.rests("This message has cost its budget of 0.5.");
  await page.getByRole("textbox", { name: "Money more" }).press("Enter");
  await person.isAskedAbout('echo "call 2"');
  await person.stop();
});

test("the same call: pointed out at three, paused at five", async ({ person, page }) => {
  await person.chooseModel("practice/repeat");
  await person.say("Go ahead");
  await person.allowForThisSession();
  await expect(page.getByText("The model has asked for the same call 3 times in a row.")).toBeVisible();
  await person.rests("The model asked for the same call 5 times in a row.");
  await expect(person.result(8)).toBeVisible();
  await expect(person.result(10)).toHaveCount(0);
  await page.getByRole("button", { name: "Continue anyway" }).press("Enter");
  await expect(person.result(10)).toBeVisible();
  await person.rests("The model asked for the same call 10 times in a row.");
});

test("a window that is nearly full: leave out, shorten, or begin anew with a summary", async ({ person, page }) => {
  await person.chooseModel("practice/run");
  await person.say("$ seq 1 900");
  await person.allow();
  await person.rests();
  await person.settings((settings) => settings.getByLabel("Context window, in tokens").fill("400"));
  await person.say("$ echo second");
  await person.rests("The context window is nearly full.");
  const calls = person.modelCalls().length;

  await page.getByRole("button", { name: "Shorten 1 long result" }).press("Enter");
  await expect(person.result(2)).toContainText("edited");
  await page.getByRole("button", { name: /^Leave out the oldest exchange/ }).press("Enter");
  await expect(person.message(0, "user")).toContainText("$ echo second");
  await expect(page.getByText("4 older entries are no longer sent")).toBeVisible();
  expect(person.modelCalls()).toHaveLength(calls);
  await person.run();
  await person.allow();
  await person.rests();
  expect(JSON.stringify(person.modelCalls().at(-1).messages[0])).toContain("echo second");

  await person.settings((settings) => settings.getByLabel("Context window, in tokens").fill("1"));
  await person.say("more");
  await person.rests("The context window is nearly full.");
  await page.getByRole("button", { name: "New session with a summary" }).press("Enter");
  await expect(person.box).toHaveValue(/^This continues an earlier session[^]*I asked: \$ echo second/);
  await expect(person.box).toBeFocused();
});
