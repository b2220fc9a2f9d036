// Everything the instrument offers, without a mouse: each flow from the first key to the last, and the focus never lost.
import { Keys } from "../world/keys.mjs";
import { expect, inDialect, test as base } from "../world/world.mjs";

const test = base.extend({
  keys: async ({ page }, use) => use(new Keys(page)),
});

/** Says something from the keyboard. */
async function say(person, keys, words) {
  await keys.type(person.box, words);
  await keys.page.keyboard.press("Enter");
}

/** Allows what is asked: the question takes the focus by itself, and is deaf for a moment. */
async function allow(person, keys, command) {
  await person.isAskedAbout(command);
  await expect(person.question.locator(":focus").or(person.question.and(keys.focused()))).toBeVisible();
  await keys.to(person.question.getByRole("button", { name: "Allow once", exact: true }));
  await expect(async () => {
    await keys.page.keyboard.press("Enter");
    await expect(person.question.getByText(command, { exact: true })).toBeHidden({ timeout: 300 });
  }).toPass();
}

inDialect("Messages", (dialect) => {
  test("say, allow, read", async ({ person, page, workspace, keys }) => {
    await keys.to(person.box);
    await page.keyboard.type("$ echo first line >> keys.txt");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("$ echo second line >> keys.txt");
    await expect(person.box).toHaveValue("$ echo first line >> keys.txt\n$ echo second line >> keys.txt");
    await page.keyboard.press("Enter");
    await allow(person, keys, "echo first line >> keys.txt");
    await allow(person, keys, "echo second line >> keys.txt");
    await person.rests();
    expect(workspace.read("keys.txt")).toBe("first line\nsecond line\n");
  });

  test("a breakpoint is set, and a message edited where it holds", async ({ person, page, keys }) => {
    await keys.choose(page.getByRole("combobox", { name: "Model", exact: true }), /practice\/run/);
    const button = page.getByRole("button", { name: /^Breakpoints/ });
    await keys.press(button);
    const panel = page.getByRole("region", { name: "Breakpoints" });
    await expect(panel).toBeFocused();
    await keys.choose(panel.getByRole("combobox", { name: "before the model call" }), "first time for each message");
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(button).toBeFocused();
    await expect(button).toHaveAccessibleName("Breakpoints 1");

    await say(person, keys, "$ echo first words");
    await expect(page.getByText("Held at a breakpoint: before the model call.")).toBeVisible();
    const edit = person.message(0, "user").getByRole("button", { name: "Edit" });
    await keys.press(edit);
    const editor = page.getByRole("group", { name: "Edit messages[0]" });
    await expect(editor).toBeFocused();
    // Escape leaves it as it was, and leads back.
    await page.keyboard.press("Escape");
    await expect(editor).toBeHidden();
    await expect(edit).toBeFocused();
    await page.keyboard.press("Enter");
    await keys.type(editor.getByRole("textbox", { name: "Text" }), "$ echo other words");
    await keys.press(editor.getByRole("button", { name: "Save edit" }));
    await expect(edit).toBeFocused();
    await keys.press(person.button("Run"));
    await allow(person, keys, "echo other words");
    await person.rests();
  });

  test("time is gone back in, a branch begun, and both compared", async ({ person, page, keys }) => {
    await keys.choose(page.getByRole("combobox", { name: "Model", exact: true }), /practice\/run/);
    await say(person, keys, "$ echo one");
    await allow(person, keys, "echo one");
    await person.rests();
    const slider = page.getByRole("slider", { name: "Time" });
    await keys.to(slider);
    await page.keyboard.press("Home");
    await expect(slider).toHaveAttribute("aria-valuetext", /^fact 1 of \d+: opened$/);
    await keys.press(person.button("Back to now"));
    await expect(slider).toBeFocused();
    await page.keyboard.press("Home");
    await expect(async () => {
      await page.keyboard.press("ArrowRight");
      await expect(slider).toHaveAttribute("aria-valuetext", /answered$/, { timeout: 200 });
    }).toPass();
    await keys.press(person.button("Fork from here"));
    await person.rests("A new branch begins here.");
    await expect(person.box).toBeFocused();
    await keys.press(person.button("Run"));
    await person.isAskedAbout("echo one");
    await page.keyboard.press("Tab");
    await expect(async () => {
      await page.keyboard.press("Escape");
      await expect(person.question).toBeHidden({ timeout: 300 });
    }).toPass();
    await person.rests();

    const sessions = page.getByRole("navigation", { name: "Sessions" });
    const compare = sessions.getByRole("button", { name: "Compare with this branch" });
    await keys.press(compare);
    const comparison = page.getByRole("region", { name: "Two branches side by side" });
    await expect(comparison).toBeFocused();
    await keys.to(comparison.getByRole("region", { name: "this branch" }));
    await page.keyboard.press("Escape");
    await expect(comparison).toBeHidden();
    await expect(compare).toBeFocused();

    await keys.press(sessions.getByRole("button", { name: "Rename" }).first());
    const name = sessions.getByRole("textbox", { name: "Name of the session" });
    await expect(name).toBeFocused();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("by hand");
    await page.keyboard.press("Enter");
    await expect(sessions.getByRole("link", { name: /^by hand/ })).toBeVisible();
    await keys.press(sessions.getByRole("button", { name: "Delete" }).first());
    await expect(sessions.getByRole("button", { name: "Keep", exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(sessions.getByRole("link")).toHaveCount(2);
  });

  test("be the model, with every ready-made answer", async ({ person, page, keys }) => {
    await keys.choose(page.getByRole("combobox", { name: "Model", exact: true }), /^you/);
    await say(person, keys, "List the files.");
    const card = page.getByRole("group", { name: "You are the model" });
    const field = card.getByRole("textbox", { name: "Answer" });
    const answer = async (sample) => {
      await expect(field).toBeFocused();
      await keys.to(card.getByRole("button", { name: sample, exact: true }), "Shift+Tab");
      await page.keyboard.press("Enter");
      await expect(field).toBeFocused();
      await expect(field).not.toHaveValue("");
      await keys.press(card.getByRole("button", { name: "Send answer" }));
    };
    let place = 1;
    for (const sample of ["Missing brace", "Arguments []", "Arguments {}", "Unknown tool"]) {
      await answer(sample);
      await expect(person.result(place + 1)).toContainText("process started: no");
      place += 2;
    }
    await answer("Two calls");
    await allow(person, keys, "pwd");
    await allow(person, keys, "ls");
    await answer("The normal path");
    await expect(person.question).toBeVisible();
    await expect(async () => {
      await page.keyboard.press("Escape");
      await expect(person.question).toBeHidden({ timeout: 300 });
    }).toPass();
    await answer("No call");
    await person.rests();
  });

  test("a message waits in line while a tool runs, and is taken back", async ({ person, page, keys }) => {
    await keys.choose(page.getByRole("combobox", { name: "Model", exact: true }), /practice\/run/);
    await say(person, keys, "$ sleep 600");
    await allow(person, keys, "sleep 600");
    await expect(person.message(1, "assistant")).toContainText("running on host-bridge");
    await expect(person.box).toBeFocused();
    await say(person, keys, "Never mind this");
    const line = page.getByRole("list", { name: "Waiting to be sent after the results" });
    await expect(line.getByRole("listitem")).toHaveCount(1);
    await keys.press(line.getByRole("button", { name: "Take back: Never mind this" }));
    await expect(line).toHaveCount(0);
    await expect(person.box).toBeFocused();
    await keys.press(person.button("Stop"));
    await person.rests("You stopped it.");
  });

  test("the inspector: its tabs, its copies, its model calls and the code", async ({ person, page, context, keys }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await say(person, keys, "List the Python files in the current directory");
    await allow(person, keys, "find . -maxdepth 1 -type f -name '*.py' | sort");
    await person.rests();
    const tab = (name) => page.getByRole("tab", { name, exact: true });
    await keys.to(tab("Request"));
    const panel = page.getByRole("tabpanel");
    const earlier = panel.getByRole("button", { name: "Earlier", exact: true });
    await keys.press(earlier);
    await expect(panel.getByText("model call 1 of 2")).toBeVisible();
    // There is none before the first: the focus stays near.
    await expect(panel).toBeFocused();
    await keys.press(panel.getByRole("button", { name: "Later", exact: true }));
    await expect(panel.getByText("model call 2 of 2")).toBeVisible();
    for (const form of ["curl", "Python", "JSON"]) {
      const copies = panel.getByRole("group", { name: "Copy as" });
      await keys.press(copies.getByRole("button", { name: form, exact: true }));
      await expect(copies.getByText(`Copied: ${form}`)).toBeVisible();
    }
    expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toHaveProperty("messages");
    await keys.press(panel.getByRole("button", { name: "Raw", exact: true }));
    await expect(panel).toContainText(person.requests()[1].postData());

    await keys.to(tab("Request"), "Shift+Tab");
    for (const name of ["Response", "State", "Tool", "Code"]) {
      await page.keyboard.press("ArrowRight");
      await expect(tab(name)).toBeFocused();
      await expect(tab(name)).toHaveAttribute("aria-selected", "true");
    }
    const python = `Python · ${dialect.name}`;
    await keys.choose(panel.getByRole("combobox", { name: "Program" }), python);
    await keys.to(panel.getByRole("list", { name: python, exact: true }));
    await expect(keys.focused()).toContainText("def run_one_turn(state):");
  });
});

test("a spent budget is extended", async ({ person, page, keys }) => {
  await keys.press(person.button("Settings"));
  const settings = page.getByRole("dialog", { name: "Settings" });
  await keys.type(settings.getByLabel("Tokens, in and out"), "1");
  await page.keyboard.press("Escape");
  await expect(person.button("Settings")).toBeFocused();
  await keys.choose(page.getByRole("combobox", { name: "Model", exact: true }), /practice\/turn-limit/);
  await say(person, keys, "Go ahead");
  await allow(person, keys, 'echo "call 1"');
  await person.rests("This message has spent its one token.");
  await keys.type(page.getByRole("textbox", { name: "Tokens more" }), "100000");
  await page.keyboard.press("Enter");
  await person.isAskedAbout('echo "call 2"');
  await keys.press(person.button("Stop"));
  await person.rests("You stopped it.");
});

test("on a phone a sheet takes the focus, and gives it back", async ({ person, page, keys }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [opener, sheet, close] of [
    ["Sessions", page.getByRole("navigation", { name: "Sessions" }), "Close the list of sessions"],
    ["Inspector", page.getByRole("complementary", { name: "Inspector" }), "Close the inspector"],
  ]) {
    for (const leave of [() => page.keyboard.press("Enter"), () => page.keyboard.press("Escape")]) {
      await keys.press(person.button(opener));
      await expect(sheet.getByRole("button", { name: close })).toBeFocused();
      await leave();
      await expect(sheet).toBeHidden();
      await expect(person.button(opener)).toBeFocused();
    }
  }
});
