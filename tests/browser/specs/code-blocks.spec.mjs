// Code in answers: told apart by its language, copied whole by a button of its own, scrolled by keyboard, and steady
// while it streams.
import { startEndpoint } from "../world/endpoint.mjs";
import { expect, inDialect, test } from "../world/world.mjs";

const python = `def greet(name):  # says hello\n    return f"Hello, {name}" + ${"'very long '".repeat(30)}\n`;
const shell = "git commit -m \"$(cat <<'EOF'\nIt's done\nEOF\n)\" && ls";
const answer = `Two blocks.\n\n\`\`\`python\n${python}\`\`\`\n\nand\n\n\`\`\`sh\n${shell}\n\`\`\`\n\nand\n\n    plain\n`;

async function answeredBy(person, dialect, endpoint) {
  await person.settings(async (settings) => {
    await settings
      .getByRole("combobox", { name: "Endpoint" })
      .selectOption({ label: dialect.name === "Messages" ? "Messages-compatible" : "OpenAI-compatible" });
    await settings.getByLabel("Base URL").fill(`${endpoint.origin}/v1`);
    await settings.getByLabel("Model", { exact: true }).fill("own-model");
  });
}

/** What of a block is told apart, as `class: text`. */
const parts = (block) =>
  block.evaluate((pre) => [...pre.querySelectorAll("span")].map((span) => `${span.className}: ${span.textContent}`));

inDialect("Chat Completions", (dialect) => {
  test("highlighted, copied and scrolled, without a mouse", async ({ person, page, context, friends }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const endpoint = await startEndpoint(dialect, [{ text: answer }]);
    friends.add(endpoint.origin);
    await answeredBy(person, dialect, endpoint);
    await person.say("Show me");
    await person.rests();
    const message = person.message(1, "assistant");
    const block = message.getByRole("group", { name: "Code: Python" });
    expect((await parts(block)).slice(0, 4)).toEqual([
      "hl-keyword: def",
      "hl-name: greet",
      "hl-comment: # says hello",
      "hl-keyword: return",
    ]);
    expect(await parts(message.getByRole("group", { name: "Code: shell" }))).toContain("hl-text: It's done\n");
    expect(await parts(message.getByRole("group", { name: "Code: text" }))).toEqual([]);

    // Copied as it came, but for the end of its last line: what is pasted into a shell waits for Enter.
    for (const [language, text] of [["Python", python.trimEnd()], ["shell", shell], ["text", "plain"]]) {
      await message.getByRole("button", { name: `Copy: ${language}`, exact: true }).press("Enter");
      const copied = message.getByRole("button", { name: `Copied: ${language}`, exact: true });
      await expect(copied).toHaveText("Copied");
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }

    // A long line makes nothing wider; the block scrolls by itself.
    await block.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => block.evaluate((pre) => pre.scrollLeft)).toBeGreaterThan(0);
    expect(await message.evaluate((item) => item.scrollWidth <= item.clientWidth)).toBe(true);
    await endpoint.close();
  });

  test("while it streams nothing above moves, and the button stays", async ({ person, page, friends }) => {
    const pieces = answer.match(/[^]{1,8}/gu);
    const endpoint = await startEndpoint(dialect, [{ pieces, perSecond: 10 }]);
    friends.add(endpoint.origin);
    await answeredBy(person, dialect, endpoint);
    // Where the block's first line stands below the beginning of the list, at each frame.
    await page.evaluate(() => {
      window.places = new Set();
      const look = () => {
        const line = document.querySelector("[role=list][aria-label=messages] [role=group] .hl-keyword");
        const list = line?.closest("[role=list]");
        if (line) window.places.add(Math.round(line.getBoundingClientRect().top - list.getBoundingClientRect().top));
        requestAnimationFrame(look);
      };
      look();
    });
    await person.say("Show me");
    const message = person.message(1, "assistant");
    const copy = message.getByRole("button", { name: "Copy: Python", exact: true });
    await expect(copy).toBeVisible();
    const button = await copy.elementHandle();
    await expect(message).toContainText("return f");
    const kept = await button.evaluate((element) => [element.isConnected, element.closest("[aria-busy=true]") !== null]);
    expect(kept).toEqual([true, true]);
    await person.rests();
    expect(await page.evaluate(() => [...window.places])).toHaveLength(1);
    await endpoint.close();
  });

  test("the command in question is told apart, and nothing of it stands back", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo \"$HOME\" # all");
    await person.isAskedAbout("echo \"$HOME\" # all");
    const command = person.question.getByText("echo \"$HOME\" # all", { exact: true });
    expect(await parts(command)).toEqual([
      "hl-name: echo",
      'hl-text: "',
      "hl-atom: $HOME",
      'hl-text: "',
      "hl-comment: # all",
    ]);
    const colours = await command.evaluate((pre) =>
      [pre, pre.querySelector(".hl-comment")].map((element) => getComputedStyle(element).color),
    );
    expect(colours[0]).toBe(colours[1]);
    await person.deny();
    await person.rests();
    await expect(page.getByRole("list", { name: "messages", exact: true }).locator(".hl-atom").first()).toHaveText("$HOME");
  });
});
