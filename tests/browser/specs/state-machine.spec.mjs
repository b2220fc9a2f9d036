// Lesson 5: turn_count rises when results are written back, and transition_reason says why the loop goes on.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects((dialect) => {
  test("four calls in four turns, then an end", async ({ person, workspace }) => {
    await person.chooseModel("practice/state-machine");
    await person.say("Explore this directory step by step");
    const state = await person.inspect("State");
    const shows = async (turn, reason) => {
      await expect(state).toContainText(new RegExp(`turn_count\\W*${turn}\\b`));
      await expect(state).toContainText(new RegExp(`transition_reason\\W*${reason}\\b`));
    };
    const commands = ["pwd", "ls -1p", "wc -l -- 'app.py'", "wc -l -- 'notes.txt'"];
    for (const [nth, command] of commands.entries()) {
      await person.isAskedAbout(command);
      await shows(nth + 1, nth === 0 ? "null" : "tool_result");
      await person.allow();
    }
    await person.rests();
    await shows(5, "null");
    await expect(person.result(2)).toContainText(workspace.path);
    await expect(person.result(8)).toContainText("1 notes.txt");

    await person.say("Explore this directory step by step");
    await person.isAskedAbout("pwd");
    await shows(1, "null");
    await person.deny();
    await person.rests();
  });

  test("several calls in one answer run in order, each result tied to its call", async ({ person, workspace }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo one | tee -a order.txt\n$ echo two | tee -a order.txt\n$ echo three | tee -a order.txt");
    for (const word of ["one", "two", "three"]) {
      await person.isAskedAbout(`echo ${word} | tee -a order.txt`);
      await person.allow();
    }
    await person.rests();
    expect(workspace.read("order.txt")).toBe("one\ntwo\nthree\n");
    const sent = person.modelCalls()[1].messages.filter(({ role }) => role !== "system");
    const [asked, ...after] = sent.slice(1);
    const pairs =
      dialect.name === "Messages"
        ? [
            asked.content.filter(({ type }) => type === "tool_use").map(({ id }) => id),
            after.flatMap(({ content }) => content.map(({ tool_use_id }) => tool_use_id)),
          ]
        : [asked.tool_calls.map(({ id }) => id), after.map(({ tool_call_id }) => tool_call_id)];
    expect(pairs[0]).toHaveLength(3);
    expect(pairs[1]).toEqual(pairs[0]);
  });
});
