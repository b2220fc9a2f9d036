// A long session in the page's own store: a real run, recorded by the page, repeated until there are enough facts.

/** Has a run of two commands recorded, to be repeated. */
export async function recordRun(person) {
  await person.chooseModel("practice/run");
  await person.say("$ echo one\n$ echo two");
  await person.allow();
  await person.allow();
  await person.rests();
  // What was recorded last is written within 250 ms; a reload waits for it.
  await person.page.reload();
  await person.isReady();
}

/** Stores a session `id` of the recorded run, repeated until there are `wanted` facts; what it holds. */
export const storeRepeated = (page, { wanted, id }) => page.evaluate(repeat, { wanted, id });

/** Opens a stored session from the list; milliseconds until its last entry is painted, in view. */
export function open(page, { id, messages }) {
  // By its id: a branch of it has the same title.
  return page.locator(`a#session-${id}`).evaluate((link, last) => bench.painted(() => link.click(), () => bench.isEnd(last)), messages - 1);
}

/** Runs in the page. */
async function repeat({ wanted, id }) {
  const asked = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await asked(indexedDB.open("loopglass"));
  const store = (name, mode = "readonly") => database.transaction(name, mode).objectStore(name);
  const keys = await asked(store("facts").getAllKeys());
  const records = await asked(store("facts").getAll());
  const facts = records.filter((_, at) => !keys[at][0].startsWith("bench-")).map((record) => JSON.parse(record));
  // A fact is written under its name; one without content is its name.
  const nameOf = ({ fact }) => (typeof fact === "string" ? fact : Object.keys(fact)[0]);
  const first = facts.findIndex((fact) => nameOf(fact) === "said");
  if (first < 0) throw new Error(`no run is stored: ${records.length} records`);
  const cycle = facts.slice(first);
  // A call is named by the number of the fact that brought it, and by the service's id: both must stay unique.
  const shifted = (value, by) => {
    if (Array.isArray(value)) return value.map((inside) => shifted(inside, by));
    if (value === null || typeof value !== "object") return value;
    const pairs = Object.entries(value).map(([name, inside]) => {
      if (name === "fact" && typeof inside === "number") return [name, inside + by];
      if ((name === "id" || name === "run_id" || name === "tool_use_id") && typeof inside === "string") {
        return [name, `${inside}_${by}`];
      }
      return [name, shifted(inside, by)];
    });
    return Object.fromEntries(pairs);
  };
  const log = facts.slice(0, first);
  for (let round = 0; log.length < wanted; round += 1) {
    log.push(...cycle.map((fact) => shifted(fact, round * cycle.length)));
  }
  const places = store("facts", "readwrite");
  log.forEach((fact, number) => places.put(JSON.stringify(fact), [id, number]));
  await new Promise((resolve) => (places.transaction.oncomplete = resolve));
  const title = `${log.length} facts`;
  await asked(store("sessions", "readwrite").put(JSON.stringify({ title, changed_ms: Date.now() }), id));
  database.close();
  // How many messages there are after so many facts.
  const adds = ["said", "answered", "wrote_back"];
  let messages = 0;
  const after = [0, ...log.map((fact) => (messages += adds.includes(nameOf(fact)) ? 1 : 0))];
  return { id, title, facts: log.length, messages, after };
}
