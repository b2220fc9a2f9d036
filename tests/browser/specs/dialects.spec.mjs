// The array as JSON: what is shown is what is sent, and side by side what tells the two dialects apart. By keyboard alone.
import { violations } from "../world/accessibility.mjs";
import { expect, inBothDialects, test } from "../world/world.mjs";

const NAMES = ["Anthropic Messages", "OpenAI Chat Completions"];

/** Chooses how messages are shown. */
function show(page, shape) {
  return page.getByRole("group", { name: "Show messages as" }).getByRole("button", { name: shape, exact: true }).press("Enter");
}

/** The JSON of each entry on show, by its name. */
async function shown(list) {
  const items = await list.getByRole("listitem", { name: /^messages\[/ }).all();
  return Promise.all(
    items.map(async (item) => [await item.getAttribute("aria-label"), JSON.parse(await item.locator("pre").innerText())]),
  );
}

/** What a body would show: its messages by their names. The system message stands in what is before them. */
function sent({ messages }) {
  return messages.map((message, index) => [`messages[${index}] ${message.role}`, message]).filter(([, { role }]) => role !== "system");
}

inBothDialects((dialect) => {
  const [own, other] = dialect.name === "Messages" ? ["Anthropic", "OpenAI"] : ["OpenAI", "Anthropic"];

  test("what is shown is what is sent, in either dialect", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one\n$ echo two >&2; false");
    await person.allow();
    await person.allow();
    await person.rests();
    await show(page, own);
    const body = person.modelCalls().at(-1);
    await expect(async () => expect((await shown(person.list)).slice(0, -1)).toEqual(sent(body))).toPass();

    // The same session in the other dialect is what another session would send there.
    await show(page, other);
    await expect(person.list.getByRole("listitem", { name: "the request before messages" })).toContainText("You are a coding agent");
    const before = await shown(person.list);
    await show(page, "Blocks");
    await person.chooseDialect(dialect.name === "Messages" ? "Chat Completions" : "Messages");
    await person.say("$ echo three");
    await person.isAskedAbout("echo three");
    expect(sent(person.modelCalls().at(-1)).slice(0, before.length)).toEqual(before);
    await person.deny();
    await person.rests();
  });

  test("side by side, each entry says what differs, also while an answer streams", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one\n$ false");
    await person.allow();
    await person.isAskedAbout("false");
    await show(page, "Side by side");
    const list = person.list;
    await expect(list.getByRole("listitem", { name: "messages[0] user ↔ messages[1] user" })).toBeVisible();
    // Nothing is shown that would not be sent: the results are not there yet.
    await expect(list.getByRole("listitem", { name: /^messages\[/ })).toHaveCount(2);
    await person.allow();
    await person.rests();

    const results = list.getByRole("listitem", { name: "messages[2] user ↔ messages[3] tool, messages[4] tool" });
    const [messages, chat] = NAMES.map((name) => results.getByRole("group", { name, exact: true }));
    await expect(messages.getByRole("mark")).toHaveText([
      '"user"',
      ...['"type"', '"tool_result"', '"tool_use_id"'],
      ...['"type"', '"tool_result"', '"tool_use_id"', '"is_error"'],
    ]);
    await expect(chat.getByRole("mark")).toHaveText(['"tool"', '"tool_call_id"', '"tool"', '"tool_call_id"']);
    await expect(results.getByRole("list", { name: "Differences" })).toContainText("each result is a message with the role tool");

    const calls = list.getByRole("listitem", { name: "messages[1] assistant ↔ messages[2] assistant" });
    await expect(calls.getByRole("group", { name: NAMES[0] })).toContainText('"command": "echo one"');
    await expect(calls.getByRole("group", { name: NAMES[1] })).toContainText('"arguments": "{\\"command\\"');
    await expect(calls.getByRole("list", { name: "Differences" })).toContainText("arguments is a string with JSON in it");

    const before = list.getByRole("listitem", { name: "the request before messages" });
    await expect(before.getByRole("list", { name: "Differences" })).toContainText("the system prompt is the first message");

    // An answer that goes silent stands at the end as what has come of it, and nothing above it changes.
    await person.chooseModel("practice/fault-stall");
    await person.box.fill("Go on");
    await person.box.press("Enter");
    await expect(list.getByRole("listitem", { name: /^messages\[\d\] assistant$/ })).toHaveAttribute("aria-busy", "true");
    await expect(list.getByRole("listitem", { name: /↔/ })).toHaveCount(5);
    await person.stop();
    await person.rests("You stopped it.");
    await show(page, "Blocks");
    await expect(person.message(0, "user")).toContainText("echo one");
  });
});

for (const [locale, shape] of [["en-US", "Side by side"], ["zh-CN", "并排对照"]]) {
  for (const colorScheme of ["light", "dark"]) {
    test.describe(`${locale}, ${colorScheme}`, () => {
      test.use({ locale, colorScheme });

      test("is accessible, and on a small screen the sides stand one below the other", async ({ page, bridge, complaints: _ }) => {
        await page.goto(bridge.link);
        await page.getByRole("textbox", { name: locale === "en-US" ? "Message" : "消息", exact: true }).fill("$ true");
        await page.keyboard.press("Enter");
        const once = page.getByRole("button", { name: locale === "en-US" ? "Allow once" : "允许一次", exact: true });
        await once.click();
        await expect(page.getByRole("listitem", { name: "messages[3] assistant", exact: true })).toBeVisible();
        await page.getByRole("button", { name: shape, exact: true }).press("Enter");
        const sides = NAMES.map((name) => page.getByRole("group", { name, exact: true }).first());
        await expect(sides[0]).toBeVisible();
        expect(await violations(page)).toEqual([]);
        const [wide, besideIt] = await Promise.all(sides.map((side) => side.boundingBox()));
        expect([besideIt.x > wide.x + wide.width - 1, besideIt.y === wide.y]).toEqual([true, true]);
        await page.setViewportSize({ width: 390, height: 844 });
        await expect(async () => {
          const [first, below] = await Promise.all(sides.map((side) => side.boundingBox()));
          expect([below.x === first.x, below.y >= first.y + first.height]).toEqual([true, true]);
        }).toPass();
        expect(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)).toBe(false);
        expect(await violations(page)).toEqual([]);
      });
    });
  }
}
