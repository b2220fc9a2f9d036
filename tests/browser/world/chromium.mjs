// How Chromium is started, by the tests and for the pictures.
export const launchOptions = {
  executablePath: process.env.LOOPGLASS_CHROMIUM,
  // Chromium's own sandbox does not work for root, as which containers run.
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
};
