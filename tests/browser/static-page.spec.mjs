// The page as plain files, without a bridge: it loads under its policy, and what goes wrong is said on the page.
import { expect, test } from "@playwright/test";
import { serveFiles } from "./file-server.mjs";

const dist = process.env.LOOPGLASS_DIST;

/** Collects what no run may produce: uncaught exceptions, console errors and reports of the policy. */
async function complaintsOf(page) {
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error}`));
  page.on("console", (message) => message.type() === "error" && complaints.push(`console: ${message.text()}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return complaints;
}

test("loads from any static host, below any path", async ({ page }) => {
  const files = await serveFiles(dist);
  const complaints = await complaintsOf(page);
  await page.goto(files.url);
  await expect(page.locator("body[data-ready]")).toBeAttached();
  await expect(page.locator("#loading")).toHaveCount(0);
  await expect(page.getByRole("alert")).toBeHidden();
  expect(complaints).toEqual([]);
  await files.close();
});

for (const [locale, failed] of [
  ["en-US", "Loopglass could not be loaded."],
  ["zh-CN", "循环镜未能加载。"],
]) {
  test(`a missing file is said on the page, ${locale}`, async ({ browser }) => {
    const page = await browser.newPage({ locale });
    const files = await serveFiles(dist, { without: "loopglass_bg.wasm" });
    await page.goto(files.url);
    await expect(page.getByRole("alert")).toContainText(failed);
    await expect(page.getByRole("alert")).toContainText("loopglass_bg.wasm: 404");
    await files.close();
    await page.close();
  });
}

test("a crash is said on the page, the first one only", async ({ page }) => {
  const files = await serveFiles(dist);
  await page.goto(files.url);
  await expect(page.locator("body[data-ready]")).toBeAttached();
  await page.evaluate(() => {
    for (const message of ["the cause", "an echo"]) {
      window.dispatchEvent(new CustomEvent("loopglass-crash", { detail: { message } }));
    }
  });
  await expect(page.getByRole("alert")).toContainText("the cause");
  await expect(page.getByRole("alert")).not.toContainText("an echo");
  await expect(page.getByRole("button", { name: "Load again" })).toBeVisible();
  await files.close();
});
