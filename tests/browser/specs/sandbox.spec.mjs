// Whether commands run in a sandbox is said beside the tool host and in the question, and it is true.
import { readFileSync } from "node:fs";
import { startBridge } from "../world/bridge.mjs";
import { expect, test as base } from "../world/world.mjs";

const test = base.extend({
  when: ["auto", { option: true }],
  bridges: async ({ workspace, when }, use, testInfo) => {
    const log = testInfo.outputPath("bridge.log");
    const bridge = await startBridge({ workspace: workspace.path, log, further: ["--sandbox", when] });
    await use([bridge]);
    expect(await bridge.end(), "processes that survive their bridge").toEqual([]);
  },
});

const command = "touch made; (touch /usr/not-made && rm /usr/not-made) 2>&1 || echo held";

test.describe("on", () => {
  test("T37: the page says that there is a sandbox", async ({ person, workspace, bridges }) => {
    test.skip(!readFileSync(bridges[0].log, "utf8").includes("sandbox on"), "there is no sandbox on this machine");
    await expect(person.page.getByText(/^ready in .*, in a sandbox$/).first()).toBeVisible();
    await person.say(`$ ${command}`);
    await person.isAskedAbout(command);
    await expect(
      person.page.getByText("In a sandbox: it can write only in the workspace, sees no keys and has no network."),
    ).toBeVisible();
    await person.allow();
    await person.rests();
    expect(workspace.read("made")).toBe("");
    await expect(person.result(2)).toContainText("held");
  });
});

test.describe("off", () => {
  test.use({ when: "off" });
  test("T37: the page says that there is none, and why", async ({ person }) => {
    await expect(person.page.getByText(/^ready in .*, no sandbox$/).first()).toBeVisible();
    await person.say("$ true");
    await person.isAskedAbout("true");
    await expect(
      person.page.getByText("No sandbox, so it has all of your rights: the bridge was started with --sandbox off."),
    ).toBeVisible();
    await person.allow();
    await person.rests();
  });
});
