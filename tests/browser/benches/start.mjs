// How long a first visit takes until the page is usable, beside an empty page of the same framework from the same server.
import { serveFiles } from "../world/static-host.mjs";

const VISITS = 12;

/** What there is to measure, as rows of the table. */
export async function start(person) {
  const browser = person.page.context().browser();
  const empty = process.env.LOOPGLASS_EMPTY;
  if (!empty) throw new Error("LOOPGLASS_EMPTY names no empty page: run `cargo xtask bench`");
  const servers = [await serveFiles(process.env.LOOPGLASS_DIST), await serveFiles(empty)];
  const times = servers.map(() => []);
  try {
    // In turn, so that whatever else the machine does meets both.
    for (let visit = 0; visit < VISITS; visit += 1) {
      for (const [at, { url }] of servers.entries()) times[at].push(await timeVisit(browser, url));
    }
  } finally {
    for (const server of servers) await server.close();
  }
  const [page, bare] = times.map((times) => Math.min(...times));
  return [{ what: `usable at a first visit (an empty Leptos page: ${bare.toFixed(0)} ms)`, measured: page, budget: 2 * bare }];
}

/** Milliseconds from the navigation to `data-ready`, with nothing in any cache. */
async function timeVisit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    await context.addInitScript(() => {
      window.usable = new Promise((resolve) => {
        const look = () => document.body?.hasAttribute("data-ready") && resolve(performance.now());
        new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true });
      });
    });
    const page = await context.newPage();
    await page.goto(url);
    return await page.evaluate(() => window.usable);
  } finally {
    await context.close();
  }
}
