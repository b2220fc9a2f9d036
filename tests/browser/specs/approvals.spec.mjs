// "Allow this command?": the exact command, and four ways to answer; a stray key answers nothing.
import { expect, inBothDialects, inDialect, test } from "../world/world.mjs";

const DENIED = "Error: Denied by the user; nothing was run.";

test.beforeEach(({ person }) => person.chooseModel("practice/run"));

inBothDialects(() => {
  test("Deny runs nothing and says so to the model", async ({ person, workspace, bridge }) => {
    const before = bridge.processIds();
    await person.say("$ touch denied.txt");
    await person.isAskedAbout("touch denied.txt");
    await person.deny();
    await person.rests();
    await expect(person.result(2)).toContainText(DENIED);
    expect(JSON.stringify(person.modelCalls()[1])).toContain(DENIED);
    expect(workspace.has("denied.txt")).toBe(false);
    expect(bridge.processIds()).toEqual(before);
  });
});

inDialect("Messages", () => {
  test("Escape denies", async ({ person, workspace, page }) => {
    await person.say("$ touch denied.txt");
    await person.isAskedAbout("touch denied.txt");
    await expect(async () => {
      await page.keyboard.press("Escape");
      await expect(person.question).toBeHidden({ timeout: 200 });
    }).toPass();
    await person.rests();
    await expect(person.result(2)).toContainText(DENIED);
    expect(workspace.has("denied.txt")).toBe(false);
  });

  test("keys that arrive with the question do nothing", async ({ person, page, workspace }) => {
    // Presses keys by itself as soon as the question stands, for less time than it must ignore them.
    await page.evaluate(() => {
      let since;
      let before = performance.now();
      const press = () => {
        const now = performance.now();
        const asks = document.body.innerText.includes("Allow this command?");
        // It stands since some moment after the last look.
        if (asks) since ??= before;
        before = now;
        if (since !== undefined) {
          if (now - since > 300) return (document.body.dataset.pressed = "");
          for (const key of ["Escape", "Enter", " "]) {
            const event = { key, code: key === " " ? "Space" : key, bubbles: true, cancelable: true };
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", event));
            document.activeElement.dispatchEvent(new KeyboardEvent("keyup", event));
          }
        }
        requestAnimationFrame(press);
      };
      press();
    });
    await person.say("$ touch pressed.txt");
    await expect(page.locator("body[data-pressed]")).toBeAttached();
    await person.isAskedAbout("touch pressed.txt");
    expect(workspace.has("pressed.txt")).toBe(false);
    await person.allow();
    await person.rests();
    expect(workspace.has("pressed.txt")).toBe(true);
  });

  test("Allow for this session means this command text, in this tab, until reload", async ({ person, page, workspace }) => {
    await person.say("$ echo a >> ran.txt");
    await person.allowForThisSession();
    await person.rests();
    await person.say("$ echo a >> ran.txt\n$ echo b >> ran.txt");
    await person.isAskedAbout("echo b >> ran.txt");
    expect(workspace.read("ran.txt")).toBe("a\na\n");
    await person.deny();
    await person.rests();
    await page.reload();
    await person.isReady();
    await person.hasShell();
    await person.say("$ echo a >> ran.txt");
    await person.isAskedAbout("echo a >> ran.txt");
    await person.deny();
    await person.rests();
    expect(workspace.read("ran.txt")).toBe("a\na\n");
  });

  test("the question stops nobody: Stop can be pressed, and the model is told", async ({ person, workspace }) => {
    await person.say("$ touch later.txt");
    await person.isAskedAbout("touch later.txt");
    await person.stop();
    await person.isNotAsked();
    await person.rests("You stopped it.");
    await expect(person.page.getByText("Nothing was running. Run goes on from here.")).toBeVisible();
    await expect(person.result(2)).toContainText("Error: Not run: the user stopped or went on before its turn came.");
    expect(person.modelCalls()).toHaveLength(1);
    await person.run();
    await person.rests();
    await expect(person.message(3, "assistant")).toContainText("Error: Not run");
    expect(workspace.has("later.txt")).toBe(false);
  });

  test("an edited command is asked about again, and is what runs", async ({ person, workspace }) => {
    await person.say("$ touch first.txt");
    await person.isAskedAbout("touch first.txt");
    await person.button("Edit…").click();
    await person.page.getByRole("textbox", { name: "Command" }).fill("touch second.txt");
    await person.button("Use this instead").click();
    await person.isAskedAbout("touch second.txt");
    expect(workspace.has("second.txt")).toBe(false);
    await person.allow();
    await person.rests();
    expect(workspace.has("first.txt")).toBe(false);
    expect(workspace.has("second.txt")).toBe(true);
  });
});
