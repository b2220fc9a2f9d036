// A long session while an answer streams in fast and somebody types; and what of the answer's bytes stays in memory.
import { startEndpoint } from "../world/endpoint.mjs";
import { open, storeRepeated } from "./stored.mjs";

const BUSY = '[aria-label="messages"] > [aria-busy]';
const PER_SECOND = 500;
const SECONDS = 20;
const MESSAGES = 2_000;
/** So many facts bring a message of the recorded run. */
const FACTS_EACH = 3.75;

/** What there is to measure, as rows of the table. */
export async function stream(person) {
  const { page } = person;
  const endpoint = await startEndpoint(person.dialect, []);
  try {
    const pieces = answer(PER_SECOND * SECONDS);
    const runs = [];
    let stored;
    for (let run = 0; run < 3; run += 1) {
      // One of its own for each, as long as the others.
      stored = await storeRepeated(page, { wanted: MESSAGES * FACTS_EACH, id: `bench-stream-${run}` });
      await page.reload();
      await person.isReady();
      await open(page, stored);
      await person.settings(async (settings) => {
        await settings.getByRole("combobox", { name: "Endpoint" }).selectOption({ label: "Messages-compatible" });
        await settings.getByLabel("Base URL").fill(endpoint.origin);
        await settings.getByLabel("Model", { exact: true }).fill("own-model");
      });
      endpoint.answer({ pieces, perSecond: PER_SECOND });
      runs.push(await watched(person, endpoint));
    }
    const best = (name) => Math.min(...runs.map((run) => run[name]));
    const session = `${stored.messages} messages, ${PER_SECOND} tokens/s for ${SECONDS} s`;
    const kept = await memory(person, endpoint, pieces);
    return [
      { what: `longest task, ${session}`, measured: best("task"), budget: 50 },
      { what: "frames, 95 of 100 within", measured: best("frame"), budget: 33 },
      { what: "key press to paint", measured: best("key"), budget: 50 },
      { what: "heap growth while it streams, for each byte received", measured: kept.grown, budget: 1.1, unit: "bytes" },
      { what: "a second after it is sealed", measured: kept.left, budget: 0.1, unit: "bytes" },
    ];
  } finally {
    await endpoint.close();
  }
}

/** Words as a model writes them: paragraphs, a list, a block of code, over and over; a piece for each token. */
function answer(tokens) {
  const page =
    "Here is **what** the command does, step by step, and why its output looks the way it does on this machine. " +
    "It reads every line of the file, keeps those that `match`, and counts them before anything is printed.\n\n" +
    "- the first pass reads what is there\n- the second one writes what is left of it\n\n" +
    "```bash\nfor name in *.txt; do\n  grep -c 'error' \"$name\"\ndone\n```\n\n";
  const pieces = page.match(/\s*\S+|\s+$/g);
  return Array.from({ length: tokens }, (_, token) => pieces[token % pieces.length]);
}

const isSealed = (page) => page.locator(BUSY).waitFor({ state: "detached", timeout: 120_000 });

/** Sends a message, types while the answer comes, and tells what was seen meanwhile. */
async function watched(person, endpoint) {
  const { page } = person;
  const before = endpoint.requests.length;
  await person.box.fill("Stream");
  await person.box.press("Enter");
  while (endpoint.requests.length === before) await page.waitForTimeout(10);
  // From the first words on: what a request of so many messages takes to write is its own matter.
  await page.locator(BUSY).waitFor();
  await page.evaluate(() => void (window.watched = bench.watch()));
  await person.box.pressSequentially("typed while it streams in, word by word ", { delay: 200 });
  await isSealed(page);
  return page.evaluate(() => window.watched());
}

/**
 * What an answer takes while it comes, and what is left of it, for each byte received. In a session of its own, whose
 * requests are short: what a request takes is another matter. The first answer is not counted, it makes the room.
 */
async function memory(person, endpoint, pieces) {
  const { page } = person;
  await person.button("New session").click();
  await page.evaluate((empty) => bench.painted(() => {}, () => bench.isEnd(empty)), -1);
  const [grown, left] = [[], []];
  for (let run = 0; run <= 3; run += 1) {
    endpoint.answer({ pieces, perSecond: 4 * PER_SECOND });
    const sent = endpoint.sent;
    const before = await page.evaluate(() => bench.heap());
    await page.evaluate(() => void (window.most = bench.mostHeap()));
    await person.box.fill("Stream");
    await person.box.press("Enter");
    await page.locator(BUSY).waitFor();
    await isSealed(page);
    const most = await page.evaluate(() => window.most());
    await page.waitForTimeout(1_000);
    const received = endpoint.sent - sent;
    if (run === 0) continue;
    grown.push((most - before) / received);
    left.push(((await page.evaluate(() => bench.heap())) - before) / received);
  }
  return { grown: Math.min(...grown), left: Math.min(...left) };
}
