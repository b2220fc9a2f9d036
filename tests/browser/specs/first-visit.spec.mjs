// A first visit: the page can be used before the browser has made its database, and loses nothing by that.
import { Person } from "../world/person.mjs";
import { expect, inDialect, test } from "../world/world.mjs";

/** Keeps the database of a first visit busy until it is let go, as a slow disk does: what opens it has to wait. */
const busy = () => {
  if (sessionStorage.getItem("was-busy")) return;
  sessionStorage.setItem("was-busy", "");
  window.isBusy = true;
  // So long the page waits for its database; how fast this machine is today must not decide.
  const { setTimeout } = window;
  window.setTimeout = (act, ms, ...rest) => setTimeout(act, ms === 5_000 ? 60_000 : ms, ...rest);
  const opening = indexedDB.open("loopglass", 1);
  opening.onerror = (event) => event.preventDefault();
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore("none");
    const wait = () => {
      if (window.isBusy) return (store.get(0).onsuccess = wait);
      opening.transaction.abort();
    };
    wait();
  };
};

inDialect("Messages", (dialect) => {
  test("what is said before the store answers is kept", async ({ page, context, bridge, complaints: _ }) => {
    await page.addInitScript(busy);
    const person = new Person(page, dialect);
    await person.open(bridge.link);
    await person.say("My name is Ada");
    await expect(person.message(0, "user")).toBeVisible();
    expect(await page.evaluate(() => window.isBusy)).toBe(true);
    await page.evaluate(() => (window.isBusy = false));
    await person.rests();
    const names = await person.names();
    await page.reload();
    await person.isReady();
    await expect(person.message(1, "assistant")).toBeVisible();
    expect(await person.names()).toEqual(names);

    // Without its mark, as where an older page kept it: it is shown all the same, in a tab that did not have it.
    await page.evaluate(() => localStorage.removeItem("loopglass-kept"));
    const other = new Person(await context.newPage(), dialect);
    await page.close();
    await other.open(bridge.link);
    await expect(other.message(1, "assistant")).toBeVisible();
  });
});
