// Lesson 3: what a model remembers is what the request brings along.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects(() => {
  test("the name is in the messages, and nowhere else", async ({ person }) => {
    await person.chooseModel("practice/memory");
    await person.say("我叫小明");
    await person.rests();
    await person.say("我刚才说我叫什么？");
    await person.rests();
    await expect(person.message(3, "assistant")).toContainText("小明");

    await person.button("New session").click();
    await expect(person.message(0, "user")).toHaveCount(0);
    await person.say("我刚才说我叫什么？");
    await person.rests();
    await expect(person.message(1, "assistant")).toContainText("我无从知道");
    await expect(person.message(1, "assistant")).not.toContainText("小明");
  });

  test("the files are answered with a table", async ({ person }) => {
    await person.say("当前目录下有哪些文件？");
    await person.isAskedAbout("ls -1p");
    await person.allow();
    await person.rests();
    const cells = person.message(3, "assistant").getByRole("cell");
    await expect(cells.filter({ hasText: /^(app\.py|notes\.txt|utils\.py)$/ })).toHaveText(["app.py", "notes.txt", "utils.py"]);
  });
});
