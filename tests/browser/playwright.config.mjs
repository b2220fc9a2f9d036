// The browser tests' runner: an installed Chromium (named by `cargo xtask test`), three tests at a time (each has a bridge,
// a port and a workspace of its own, and waits for part of its time), and one folder for everything that a failed test
// leaves.
import { defineConfig } from "@playwright/test";
import { launchOptions } from "./world/chromium.mjs";

export default defineConfig({
  testDir: "specs",
  outputDir: process.env.LOOPGLASS_RESULTS ?? "../../test-results",
  preserveOutput: "failures-only",
  fullyParallel: true,
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    actionTimeout: 15_000,
    // Without its film strip, which costs every passing test more than it tells of a failed one.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
    viewport: { width: 1440, height: 900 },
    launchOptions,
  },
});
