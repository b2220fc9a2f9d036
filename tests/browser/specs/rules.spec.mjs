// What the person's rules in the bridge's configuration settle: the page asks, or does not, and says why.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBridge } from "../world/bridge.mjs";
import { expect, inDialect, test as base } from "../world/world.mjs";

const RULES = `[policy]
deny = ["git push"]
ask = ["cat notes.txt"]
allow = ["touch made *"]
read_only = true
`;

const test = base.extend({
  bridges: async ({ workspace }, use, testInfo) => {
    const folder = mkdtempSync(join(tmpdir(), "rules-"));
    const file = join(folder, "host-bridge.toml");
    writeFileSync(file, RULES, { mode: 0o600 });
    const bridge = await startBridge({
      workspace: workspace.path,
      log: testInfo.outputPath("bridge.log"),
      further: ["--config", file],
    });
    await use([bridge]);
    expect(await bridge.end(), "processes that survive their bridge").toEqual([]);
    rmSync(folder, { recursive: true });
  },
});

inDialect("Chat Completions", () => {
  test("allowed without a question, asked about, denied", async ({ person, workspace }) => {
    await person.chooseModel("practice/run");
    await person.say("$ touch made too\n$ ls");
    await person.rests();
    expect(workspace.read("made")).toBe("");
    await expect(await person.inspect("Tool")).toContainText("Not asked: it only looks at the workspace.");

    await person.say("$ touch made; cat notes.txt");
    await person.isAskedAbout("touch made; cat notes.txt");
    await expect(person.page.getByText("Asked, as the bridge’s rules want: cat notes.txt").first()).toBeVisible();
    await person.allow();
    await person.rests();

    await person.say("$ touch other; git push");
    await person.rests();
    expect(() => workspace.read("other")).toThrow();
    await expect(await person.inspect("Tool")).toContainText("The bridge’s rules deny: git push");
  });
});
