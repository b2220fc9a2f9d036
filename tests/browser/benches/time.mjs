// A long session: opening it, going to any of its facts, and branching off there.
import { open, storeRepeated } from "./stored.mjs";

const FACTS = 10_000;

/** What there is to measure, as rows of the table. */
export async function time(person) {
  const { page } = person;
  const stored = await storeRepeated(page, { wanted: FACTS, id: "bench-time" });
  const wanted = moments(stored.facts);
  const [opened, went, forked] = [[], [], []];
  for (let run = 0; run < 3; run += 1) {
    await page.reload();
    await person.isReady();
    await person.button("New session").click();
    await page.evaluate((empty) => bench.painted(() => {}, () => bench.isEnd(empty)), -1);
    opened.push(await open(page, stored));
    went.push(await page.evaluate(goTo, { stored, moments: wanted }));
    forked.push(await fork(page, stored));
  }
  // The slowest of a run, and the best of these.
  const slowest = (runs) => Math.min(...runs.map((times) => Math.max(...times)));
  const middle = (runs) => Math.min(...runs.map((times) => times.toSorted((one, other) => one - other)[times.length >> 1]));
  const scrubbed = went.map(({ times }) => times);
  const session = `a session of ${stored.facts} facts`;
  return [
    { what: `opening ${session}, to its end in view`, measured: Math.min(...opened), budget: 500 },
    { what: `slider to a fact of ${session}, slowest of ${wanted.length}`, measured: slowest(scrubbed), budget: 50 },
    { what: "the same, half of them within", measured: middle(scrubbed), budget: 50 },
    { what: "longest task of half a second after it", measured: slowest(went.map(({ tasks }) => tasks)), budget: 50 },
    { what: `fork of ${session}, slowest of 3 places`, measured: slowest(forked), budget: 50 },
  ];
}

/** Near and far, in an order that jumps about, and steps. */
function moments(facts) {
  const far = [0.5, 0.02, 0.9, 0.31, 0.3, 0.77, 0.11, 0.99].map((part) => Math.round(part * facts));
  const ends = [1, facts - 1, 2, facts - 2];
  const steps = Array.from({ length: 8 }, (_, step) => Math.round(facts * 0.6) - step);
  return [...far, ...ends, ...steps];
}

/** Runs in the page: moves the slider as a person does. */
async function goTo({ stored, moments }) {
  const slider = document.querySelector('input[type="range"]');
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const [times, tasks] = [[], []];
  for (const moment of moments) {
    const move = () => {
      set.call(slider, moment);
      slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    const isThere = () =>
      slider.getAttribute("aria-valuetext").startsWith(`fact ${moment} of `) && bench.isEnd(stored.after[moment] - 1);
    times.push(await bench.painted(move, isThere));
    const end = bench.watch();
    await new Promise((resolve) => setTimeout(resolve, 500));
    tasks.push(end().task);
  }
  return { times, tasks };
}

/** Branches off in three places, each of the session as it was stored. */
async function fork(page, stored) {
  const times = [];
  for (const part of [0.99, 0.5, 0.1]) {
    const moment = Math.round(part * stored.facts);
    await page.evaluate(goTo, { stored, moments: [moment] });
    const button = page.getByRole("button", { name: "Fork from here" });
    const last = stored.after[moment] - 1;
    // The banner that the button stands in goes, and the end of the branch is in view.
    const press = (button, last) => bench.painted(() => button.click(), () => !button.isConnected && bench.isEnd(last));
    times.push(await button.evaluate(press, last));
    await open(page, stored);
  }
  return times;
}
