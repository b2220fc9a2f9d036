// The main job, lesson 1: a question about this directory, a command, its real result, an answer that quotes it.
import { expect, inBothDialects, test } from "../world/world.mjs";

const LIST = "find . -maxdepth 1 -type f -name '*.py' | sort";

inBothDialects((dialect) => {
  for (const prompt of ["List the Python files in the current directory", "帮我看看当前目录里有哪些 Python 文件"]) {
    test(`the real files come back: ${prompt}`, async ({ person }) => {
      await person.say(prompt);
      await expect(person.message(0, "user")).toContainText(prompt);
      await person.isAskedAbout(LIST);
      await expect(person.message(1, "assistant")).toContainText(LIST);
      await person.allow();
      await expect(person.result(2)).toContainText("./app.py");
      await expect(person.result(2)).toContainText("./utils.py");
      await person.rests();
      const answer = person.message(3, "assistant");
      await expect(answer).toContainText("app.py");
      await expect(answer).toContainText("utils.py");
      await expect(answer).not.toContainText("notes.txt");
      expect(await person.names()).toEqual([
        "messages[0] user",
        "messages[1] assistant",
        `messages[2] ${dialect.resultRole}`,
        "messages[3] assistant",
      ]);
    });
  }

  test("not streamed, it is the same", async ({ person }) => {
    await person.settings((settings) => settings.getByRole("checkbox", { name: "Stream the answer" }).uncheck());
    await person.say("List the Python files in the current directory");
    await person.isAskedAbout(LIST);
    await person.allow();
    await person.rests();
    await expect(person.message(3, "assistant")).toContainText("utils.py");
    expect(person.modelCalls().map(({ stream = false }) => stream)).toEqual([false, false]);
  });

  test.describe("in an empty directory", () => {
    test.use({ files: {} });
    test("it says so", async ({ person }) => {
      await person.say("List the Python files in the current directory");
      await person.allow();
      await person.rests();
      await expect(person.result(2)).toContainText("(no output, exit code 0)");
      await expect(person.message(3, "assistant")).toContainText("There are no Python files in the current directory");
    });
  });

  test("an entry exists from its first delta, and is busy until its last", async ({ person, page }) => {
    // Watched inside the page: a short answer can be over between two looks from outside.
    const wasBusy = page.evaluate(() => new Promise((resolve) => {
      const look = () => document.querySelector('[aria-label="messages[1] assistant"][aria-busy="true"]') && resolve(true);
      new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
    }));
    await person.say("List the Python files in the current directory");
    await person.isAskedAbout(LIST);
    expect(await wasBusy).toBe(true);
    await expect(person.message(1, "assistant")).not.toHaveAttribute("aria-busy", "true");
    await person.deny();
    await person.rests();
  });
});
