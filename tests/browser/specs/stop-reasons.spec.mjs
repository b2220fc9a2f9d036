// Lesson 3's stop reasons, each provoked: only a call leads to another model call, and a call that was cut off never runs.
import { expect, inBothDialects, test } from "../world/world.mjs";

const reasons = [
  { model: "practice/stop-max-tokens", rests: "The answer reached max_tokens and was cut.", calls: 1 },
  { model: "practice/stop-max-tokens-in-call", rests: "The answer reached max_tokens and was cut.", calls: 1 },
  { model: "practice/stop-refusal", rests: "The model declined.", calls: 1 },
  { model: "practice/stop-pause-turn", rests: "The model stopped asking.", calls: 2, only: "Messages" },
  {
    model: "practice/stop-content-filter",
    rests: "The service’s filter cut the answer.",
    calls: 1,
    only: "Chat Completions",
  },
];

inBothDialects((dialect) => {
  for (const { model, rests, calls, only = dialect.name } of reasons) {
    if (only !== dialect.name) continue;
    test(`${model}: ${rests}`, async ({ person, bridge, workspace }) => {
      await person.settings((settings) => settings.getByLabel(/^max_tokens/).fill("60"));
      await person.chooseModel(model);
      const before = bridge.processIds();
      await person.say("Go ahead");
      await person.rests(rests);
      await person.isNotAsked();
      expect(person.modelCalls()).toHaveLength(calls);
      expect(person.modelCalls()[0]).toMatchObject({ max_tokens: 60 });
      expect(bridge.processIds()).toEqual(before);
      expect(workspace.has("numbers.txt")).toBe(false);

      // What is left is a conversation that goes on.
      await person.chooseModel("practice/memory");
      await person.settings((settings) => settings.getByLabel(/^max_tokens/).fill("8000"));
      await person.say("My name is Ada");
      await person.rests();
    });
  }
});
