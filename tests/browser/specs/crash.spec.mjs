// A crash shows a banner, and loses nothing that was recorded.
import { expect, inDialect, test } from "../world/world.mjs";

inDialect("Chat Completions", () => {
  test("the first cause is shown, and the conversation is there after loading again", async ({ person, page }) => {
    await person.chooseModel("practice/run");
    await person.say("$ echo recorded");
    await person.allow();
    await person.rests();
    await page.evaluate(() => {
      for (const message of ["the cause", "an echo"]) {
        window.dispatchEvent(new CustomEvent("loopglass-crash", { detail: { message } }));
      }
    });
    const banner = page.getByRole("alert").filter({ hasText: "Loopglass has crashed." });
    await expect(banner).toContainText("the cause");
    await expect(banner).not.toContainText("an echo");
    await person.button("Load again").click();
    await person.isReady();
    await expect(banner).toBeHidden();
    await expect(person.message(3, "assistant")).toContainText("recorded");
  });
});
