// Lesson 2: hello.py is created, run, broken and repaired, on the real disk.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects(() => {
  test.use({ files: {} });

  test("hello.py is created, run, broken and repaired", async ({ person, workspace }) => {
    await person.chooseModel("practice/hello-py");

    await person.say("请创建 hello.py，输出 Hello, Agent Harness；运行它并告诉我实际输出。");
    await person.allow();
    await person.isAskedAbout("python3 hello.py");
    expect(workspace.read("hello.py")).toBe('print("Hello, Agent Harness")\n');
    await person.allow();
    await person.rests();
    await expect(person.result(4)).toContainText("Hello, Agent Harness");
    await expect(person.message(5, "assistant")).toContainText("Hello, Agent Harness");

    await person.say("Break hello.py and leave it broken.");
    await person.allow();
    await person.isAskedAbout("python3 hello.py");
    await person.allow();
    await expect(person.result(10)).toContainText("Traceback");
    await expect(person.result(10)).toContainText("NameError");
    await person.rests();
    expect(workspace.read("hello.py")).toBe("print(greeting)\n");

    await person.say("Repair it.");
    await person.isAskedAbout("python3 hello.py");
    await person.allow();
    await expect(person.result(14)).toContainText("NameError");
    await person.allow();
    await person.isAskedAbout("python3 hello.py");
    await person.allow();
    await person.rests();
    await expect(person.message(19, "assistant")).toContainText("Hello, Agent Harness");
    expect(workspace.read("hello.py")).toBe('print("Hello, Agent Harness")\n');
  });

  test("broken, it repairs itself: traceback, write, clean run", async ({ person, workspace }) => {
    await person.chooseModel("practice/hello-py");
    await person.say("Break hello.py");
    await person.allow();
    await person.allow();
    await expect(person.result(4)).toContainText("Traceback");
    await person.allow();
    await person.allow();
    await person.rests();
    await expect(person.result(8)).toContainText("Hello, Agent Harness");
    expect(workspace.read("hello.py")).toBe('print("Hello, Agent Harness")\n');
  });
});
