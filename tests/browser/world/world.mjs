// One test's world: a workspace on the real disk, a real bridge that serves it, and a person at the page. What the test
// must leave behind is nothing: no complaint of the page, no process of the bridge.
import { expect, test as base } from "@playwright/test";
import { startBridge } from "./bridge.mjs";
import { listenForComplaints } from "./complaints.mjs";
import { dialects } from "./dialects.mjs";
import { Person } from "./person.mjs";
import { Workspace, lessonOne } from "./workspace.mjs";

export { dialects } from "./dialects.mjs";
export { expect } from "@playwright/test";

export const test = base.extend({
  /** The wire format the person chooses. */
  dialect: [dialects[0], { option: true }],
  /** The files of the workspace at the start. */
  files: [lessonOne, { option: true }],
  /** The origins the page may speak to. */
  friends: async ({ bridge }, use) => use(new Set([bridge.origin])),

  workspace: async ({ files }, use) => {
    const workspace = new Workspace(files);
    await use(workspace);
    workspace.remove();
  },

  bridges: async ({ workspace }, use, testInfo) => {
    const log = testInfo.outputPath("bridge.log");
    const bridges = [await startBridge({ workspace: workspace.path, log })];
    await use(bridges);
    expect(await bridges.at(-1).end(), "processes that survive their bridge").toEqual([]);
  },

  bridge: async ({ bridges }, use) => use(bridges[0]),

  complaints: async ({ context, friends }, use) => {
    const complaints = await listenForComplaints(context, friends);
    await use(complaints);
    expect(complaints, "complaints of the page").toEqual([]);
  },

  person: async ({ page, bridge, dialect, complaints: _ }, use) => {
    const person = new Person(page, dialect);
    await person.open(bridge.link);
    await person.hasShell();
    await person.chooseDialect(dialect.name);
    await use(person);
  },
});

/** Declares the same tests for each wire format. */
export function inBothDialects(declare) {
  for (const { name } of dialects) inDialect(name, declare);
}

/** Declares tests for one wire format: those of something that does not depend on it. */
export function inDialect(name, declare) {
  const dialect = dialects.find((dialect) => dialect.name === name);
  test.describe(name, () => {
    test.use({ dialect });
    declare(dialect);
  });
}
