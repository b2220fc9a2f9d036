// Lesson 4's limit: N model calls for one message; the Nth call's tools run and are stored, call N+1 does not happen.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects(() => {
  test("eight model calls, eight results, no ninth; then as many again", async ({ person }) => {
    await person.chooseModel("practice/turn-limit");
    await person.limit(8);
    await person.say("Go ahead");
    for (let call = 1; call <= 8; call += 1) {
      await person.isAskedAbout(`echo "call ${call}"`);
      await person.allow();
    }
    await person.rests("This message has taken its 8 model calls.");
    expect(person.modelCalls()).toHaveLength(8);
    expect(await person.names()).toHaveLength(17);
    await expect(person.result(16)).toContainText("call 8");

    await person.run();
    await person.isAskedAbout('echo "call 9"');
    expect(person.modelCalls()).toHaveLength(9);
    await person.deny();
    await person.rests();
  });

  test("a new message starts counting anew", async ({ person }) => {
    await person.chooseModel("practice/repeat");
    await person.limit(1);
    for (const [said, result] of [
      ["Go ahead", 2],
      ["And again", 5],
    ]) {
      await person.say(said);
      await person.allow();
      await person.rests("This message has taken its one model call.");
      await expect(person.result(result)).toContainText("again");
    }
    expect(person.modelCalls()).toHaveLength(2);
  });
});
