// The browser tests' runner: an installed Chromium (named by `cargo xtask test`), one test at a time since each has
// processes and ports of its own to watch, and a trace of whatever fails.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.mjs",
  outputDir: process.env.LOOPGLASS_RESULTS ?? "../../test-results",
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  use: {
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.LOOPGLASS_CHROMIUM,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
