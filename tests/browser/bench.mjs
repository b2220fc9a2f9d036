// The page's budgets (`cargo xtask bench`), each the best of three within one run, with what missed its budget marked.
// `node bench.mjs time output` measures only these.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { output } from "./benches/output.mjs";
import { seen } from "./benches/seen.mjs";
import { recordRun } from "./benches/stored.mjs";
import { start } from "./benches/start.mjs";
import { stream } from "./benches/stream.mjs";
import { time } from "./benches/time.mjs";
import { startBridge } from "./world/bridge.mjs";
import { launchOptions } from "./world/chromium.mjs";
import { dialects } from "./world/dialects.mjs";
import { Person } from "./world/person.mjs";

const benches = { start, time, stream, output };
const [messages] = dialects;
/** Memory is told to the byte, and what is no longer needed can be let go of before it is asked for. */
const MEASURING = ["--enable-precise-memory-info", "--js-flags=--expose-gc"];

async function main(names) {
  const load = () => loadavg().map((load) => load.toFixed(1)).join(" ");
  console.log(`\n${cpus().length} × ${cpus()[0].model}, load ${load()}`);
  console.log("\n| page | measured | budget | |\n| --- | --- | --- | --- |");
  for (const name of names) {
    for (const { what, measured, budget, unit = "ms" } of await inPage(benches[name])) {
      const isMissed = budget !== undefined && measured > budget;
      const [is, may] = [measured, budget].map((value) => (value === undefined ? "" : `${Number(value.toPrecision(3))} ${unit}`));
      console.log(`| ${what} | ${is} | ${may} | ${isMissed ? "missed" : ""} |`);
    }
  }
  console.log(`\nload after it: ${load()}`);
}

/** What a bench measures in a page that has recorded one run, with a bridge and a browser of its own. */
async function inPage(bench) {
  const workspace = mkdtempSync(join(tmpdir(), "loopglass-bench-"));
  const bridge = await startBridge({ workspace, log: join(tmpdir(), "loopglass-bench.log") });
  const browser = await chromium.launch({ ...launchOptions, args: [...launchOptions.args, ...MEASURING] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(seen);
    const person = new Person(await context.newPage(), messages);
    await person.open(bridge.link);
    await person.hasShell();
    await recordRun(person);
    return await bench(person);
  } finally {
    await browser.close();
    await bridge.end();
    rmSync(workspace, { recursive: true, force: true });
  }
}

const names = process.argv.slice(2);
await main(names.length > 0 ? names : Object.keys(benches));
