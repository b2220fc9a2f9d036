// A hosted page: it reaches the bridge where the person who started it let its origin in, and nowhere else. Its host is
// played by the test, under an https address that nobody has.
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { startBridge } from "../world/bridge.mjs";
import { dialects } from "../world/dialects.mjs";
import { Person } from "../world/person.mjs";
import { Workspace, lessonOne } from "../world/workspace.mjs";
import { expect, test } from "@playwright/test";

const HOST = "https://pages.example";
const types = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Opens the page from its host, for this bridge. */
async function open(page, context, bridge) {
  // What a person answers when the browser asks whether the page may reach this machine.
  await context.grantPermissions(["local-network-access"], { origin: HOST });
  await page.route(`${HOST}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const file = path === "/" ? "index.html" : path.slice(1);
    const body = await readFile(join(process.env.LOOPGLASS_DIST, file));
    await route.fulfill({ body, contentType: types[extname(file)] ?? "application/octet-stream" });
  });
  const { port, hash } = new URL(bridge.link);
  const person = new Person(page, dialects[0]);
  await person.open(`${HOST}/#bridge=127.0.0.1:${port}&${hash.slice(1)}`);
  return person;
}

for (const [who, further, ready] of [
  ["that is let in uses the bridge", ["--allow-origin", HOST], true],
  ["that is not let in has no shell", ["--allow-origin", "https://other.example"], false],
]) {
  test(`a page ${who}`, async ({ page, context }, testInfo) => {
    const workspace = new Workspace(lessonOne);
    const bridge = await startBridge({ workspace: workspace.path, log: testInfo.outputPath("bridge.log"), further });
    const person = await open(page, context, bridge);
    if (ready) {
      await person.hasShell();
      await person.chooseModel("practice/run");
      await person.say("$ echo hosted > made.txt");
      await person.allow();
      await person.rests();
      expect(workspace.read("made.txt")).toBe("hosted\n");
      expect(new URL(page.url()).hash).toBe("");
    } else {
      await expect(page.getByText(/^The host bridge does not answer\./).first()).toBeVisible({ timeout: 30_000 });
    }
    expect(await bridge.end()).toEqual([]);
    workspace.remove();
  });
}
