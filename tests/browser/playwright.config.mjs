// The browser tests' runner: an installed Chromium (named by `cargo xtask test`), four tests at a time (each has a bridge,
// a port and a workspace of its own, and waits for half of its time), and one folder for everything that a failed test
// leaves.
import { defineConfig } from "@playwright/test";
import { launchOptions } from "./world/chromium.mjs";

export default defineConfig({
  testDir: "specs",
  outputDir: process.env.LOOPGLASS_RESULTS ?? "../../test-results",
  preserveOutput: "failures-only",
  fullyParallel: true,
  workers: 4,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    actionTimeout: 15_000,
    // Without its film strip and the page at each step, which cost every passing test a sixth of its time and more than they
    // tell of a failed one: that leaves a picture and the roles and names on the page, too.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
    viewport: { width: 1440, height: 900 },
    launchOptions,
  },
});
