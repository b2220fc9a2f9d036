// What the model reads as a result: in the words of the lessons where the settings say so, and within the limits.
import { longSleep, marked } from "../world/processes.mjs";
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects((dialect) => {
  const isChat = dialect.name === "Chat Completions";
  const words = isChat
    ? {
        wording: "the Chat Completions lesson’s",
        blacklist: "the lesson’s six",
        none: "执行完成，但没有输出。",
        blocked: "Error: command contains dangerous keywords.",
        timeout: "Error: command execution timed out.",
      }
    : {
        wording: "the Messages lessons’",
        blacklist: "the lessons’ five",
        none: "(no output)",
        blocked: "Error: Dangerous command blocked",
        timeout: "Error: Timeout (1s)",
      };

  /** The contents of the results that the last model call was sent. */
  const results = (person) => {
    const { messages } = person.modelCalls().at(-1);
    return isChat
      ? messages.filter(({ role }) => role === "tool").map(({ content }) => content)
      : messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).flatMap((block) =>
          block.type === "tool_result" ? [block.content] : [],
        );
  };

  test("the lesson's words, exactly", async ({ person, bridge, workspace }) => {
    const sleep = longSleep();
    await person.chooseModel("practice/run");
    await person.settings(async (settings) => {
      await settings.getByRole("combobox", { name: "Wording of results" }).selectOption({ label: words.wording });
      await settings.getByRole("combobox", { name: "Blacklist" }).selectOption({ label: words.blacklist });
      await settings.getByLabel("Seconds a command may take").fill("1");
    });
    await person.say(`$ true\n$ echo out; echo err >&2; exit 3\n$ sudo touch blocked.txt\n$ echo before; ${sleep.command}`);
    await person.allow();
    await person.allow();
    await person.isAskedAbout(`echo before; ${sleep.command}`);
    await person.allow();
    await person.rests();
    const sent = results(person).map((content) => (typeof content === "string" ? content : content[0].text));
    expect(sent).toEqual([words.none, "out\nerr", words.blocked, words.timeout]);
    expect(JSON.stringify(person.modelCalls().at(-1))).not.toContain("is_error");
    expect(workspace.has("blocked.txt")).toBe(false);
    expect(marked(sleep.marker)).toEqual([]);
    expect(bridge.processIds().length).toBeGreaterThan(0);
  });

  test("our own words tell the exit code, what came before the timeout, and the cut", async ({ person }) => {
    const sleep = longSleep();
    await person.chooseModel("practice/run");
    await person.settings(async (settings) => {
      await settings.getByLabel("Seconds a command may take").fill("1");
      await settings.getByLabel("Characters of output the model reads").fill("300");
    });
    await person.say(`$ echo out; exit 3\n$ echo before; ${sleep.command}\n$ seq 1 2000`);
    for (let call = 0; call < 3; call += 1) await person.allow();
    await person.rests();
    const [exited, timedOut, cut] = results(person).map((content) => (typeof content === "string" ? content : content[0].text));
    expect(exited).toBe("out\n(exit code 3)");
    expect(timedOut).toBe("Error: Timeout (1s)\nbefore");
    expect(cut.length).toBeLessThan(500);
    expect(cut).toMatch(/^1\n2\n/);
    expect(cut).toMatch(/\n2000\n\(exit code 0\)$/);
    expect(marked(sleep.marker)).toEqual([]);
  });
});
