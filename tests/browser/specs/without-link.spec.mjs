// The bridge's own address without its link: the page says that the link is missing, not that the bridge is a new one.
import { expect, test } from "../world/world.mjs";

test("opened without the link", async ({ page, bridge, complaints: _ }) => {
  await page.goto(bridge.origin);
  await expect(page.locator("body[data-ready]")).toBeAttached();
  await expect(page.getByText("This tab was opened without the host bridge’s link.")).toBeVisible();
  await expect(page.getByText("is a new one")).toHaveCount(0);
});
