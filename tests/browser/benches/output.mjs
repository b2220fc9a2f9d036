// A command that writes a lot: nothing waits for it, and the page keeps no more of it than it shows.
const MEGABYTES = 20;

/** What there is to measure, as rows of the table. */
export async function output(person) {
  const { page } = person;
  const runs = [];
  for (let run = 0; run < 3; run += 1) {
    await person.say(`$ seq 1 100000000 | head -c ${MEGABYTES * 1_000_000}`);
    await person.question.waitFor();
    const before = await page.evaluate(() => {
      window.watched = bench.watch();
      return bench.heap();
    });
    await person.allow();
    await person.rests();
    const { task, frame } = await page.evaluate(() => window.watched());
    const grown = ((await page.evaluate(() => bench.heap())) - before) / 1_000_000;
    runs.push({ task, frame, grown });
  }
  const best = (name) => Math.min(...runs.map((run) => run[name]));
  return [
    { what: `longest task, ${MEGABYTES} MB of output`, measured: best("task"), budget: 50 },
    { what: "frames meanwhile, 95 of 100 within", measured: best("frame"), budget: 33 },
    { what: "heap growth by it", measured: best("grown"), budget: 2, unit: "MB" },
  ];
}
