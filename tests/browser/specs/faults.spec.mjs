// Endpoints that fail, one way after another: the page shows what the endpoint said and what to try, and goes on once
// the endpoint works.
import { expect, inBothDialects, test } from "../world/world.mjs";

// The status and the words that the page shows of what came (where a service has words of its own, by dialect), and the
// beginning of what it tells the person to try. Nothing said is nothing shown.
const faults = [
  { id: "fault-401", status: 401, next: "Check the key in the settings." },
  { id: "fault-403", status: 403, next: "The key may not do this." },
  { id: "fault-429", status: 429, next: "Too many requests. Wait a little, then try again." },
  { id: "fault-500", status: 500, next: "The service failed. Try again" },
  { id: "fault-529", status: 529, next: "The service is busy. Wait a little, then try again." },
  { id: "fault-html", said: "Practice", next: "What came is not what this dialect sends." },
  { id: "fault-html-502", status: 502, said: "Practice", next: "The service failed. Try again" },
  { id: "fault-empty", next: "The answer broke off before its end and was not kept." },
  { id: "fault-overflow", status: 400, next: "The messages are longer than this model reads." },
  { id: "fault-cut", said: "network error", next: "The answer broke off before its end and was not kept." },
  { id: "fault-cut-in-call", said: "network error", next: "The answer broke off before its end and was not kept." },
  { id: "fault-eof", next: "The answer broke off before its end and was not kept." },
  { id: "fault-eof-in-call", next: "The answer broke off before its end and was not kept." },
  { id: "fault-broken-json", said: '{"', next: "Part of the answer is broken, so none of it was kept. Try again." },
  { id: "fault-error-in-stream", next: "The service is busy. Wait a little, then try again." },
];

inBothDialects((dialect) => {
  for (const { id, status, next, said = dialect.words[id] } of faults) {
    test(`${id}: said, and tried again`, async ({ person, bridge }) => {
      await person.chooseModel(`practice/${id}`);
      const before = bridge.processIds();
      await person.say("List the Python files in the current directory");
      await person.rests("The model call failed.");
      const conversation = person.page.getByRole("region", { name: "Conversation" });
      await expect(conversation).toContainText(next);
      if (status !== undefined) await expect(conversation.getByRole("code").filter({ hasText: /^\d+$/ })).toHaveText(`${status}`);
      const words = conversation.getByRole("blockquote");
      await (said === undefined ? expect(words).toHaveCount(0) : expect(words).toContainText(said));
      await expect(person.message(1, "assistant")).toHaveCount(0);
      await person.isNotAsked();
      expect(bridge.processIds()).toEqual(before);

      await person.chooseModel("practice/list-python-files");
      await person.button("Try again").click();
      await person.isAskedAbout("find . -maxdepth 1 -type f -name '*.py' | sort");
    });
  }

  test("fault-stall: how long nothing has come is seen, and when it is given up", async ({ person, page }) => {
    await person.chooseModel("practice/fault-stall");
    await person.say("Go ahead");
    await expect(person.message(1, "assistant")).toContainText("This answer is scripted");
    await expect(page.getByText(/^nothing new for \d+(\.\d)? s, given up after 2 min 00 s$/)).toBeVisible();
    await person.stop();
    await person.rests("You stopped it.");
    await expect(page.getByText("The model call was broken off, and what had come of its answer is not in messages. Run calls again.")).toBeVisible();
  });

  test("fault-stall: given up after a while", async ({ person, page }) => {
    await page.clock.install();
    await person.chooseModel("practice/fault-stall");
    await person.say("Go ahead");
    await expect(person.message(1, "assistant")).toContainText("This answer is scripted");
    await expect(async () => {
      await page.clock.fastForward("02:30");
      await expect(page.getByText("Nothing more came, and the wait was given up. Try again.")).toBeVisible({ timeout: 500 });
    }).toPass();
    await person.rests("The model call failed.");
  });

  test("a wait before the next attempt is seen and can be stopped", async ({ person }) => {
    await person.chooseModel("practice/fault-429");
    await person.say("Go ahead");
    await expect(person.page.getByText(/^attempt \d+ in /)).toBeVisible();
    await person.stop();
    await person.rests("You stopped it.");
    expect(person.modelCalls()).toHaveLength(1);
  });
});
