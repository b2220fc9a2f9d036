// An endpoint of the person's own: base URL, model and key from the settings, and the key goes nowhere but there.
import { startEndpoint } from "../world/endpoint.mjs";
import { expect, inBothDialects, test } from "../world/world.mjs";

const KEY = "sk-a-key-nobody-else-may-see-4711";

/** Everything the browser keeps for this page, as text. */
const kept = () =>
  new Promise((resolve, reject) => {
    const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href];
    indexedDB.databases().then(async (databases) => {
      for (const { name } of databases) {
        const database = await new Promise((opened, failed) => {
          const request = indexedDB.open(name);
          request.onsuccess = () => opened(request.result);
          request.onerror = () => failed(request.error);
        });
        for (const store of database.objectStoreNames) {
          const all = database.transaction(store).objectStore(store).getAll();
          found.push(JSON.stringify(await new Promise((got) => (all.onsuccess = () => got(all.result)))));
        }
        database.close();
      }
      resolve(found.join("\n"));
    }, reject);
  });

inBothDialects((dialect) => {
  const messages = dialect.name === "Messages";

  test("the main job against it, and the key where it belongs", async ({ person, page, friends, workspace }) => {
    const endpoint = await startEndpoint(dialect, [
      { text: "I look.", command: "cat notes.txt" },
      { text: "It says: Two programs and a text." },
    ]);
    friends.add(endpoint.origin);
    await person.settings(async (settings) => {
      await settings
        .getByRole("combobox", { name: "Endpoint" })
        .selectOption({ label: messages ? "Messages-compatible" : "OpenAI-compatible" });
      await settings.getByLabel("Base URL").fill(`${endpoint.origin}/v1`);
      await settings.getByLabel("Model", { exact: true }).fill("own-model");
      await settings.getByLabel(/^Key/).fill(KEY);
    });
    await person.say("What do the notes say?");
    await person.isAskedAbout("cat notes.txt");
    await person.allow();
    await person.rests();
    await expect(person.result(2)).toContainText(workspace.read("notes.txt").trim());
    await expect(person.message(3, "assistant")).toContainText("It says: Two programs and a text.");

    expect(endpoint.requests).toHaveLength(2);
    for (const { path, headers, body } of endpoint.requests) {
      expect(path).toBe(messages ? "/v1/messages" : "/v1/chat/completions");
      expect(messages ? headers["x-api-key"] : headers.authorization).toBe(messages ? KEY : `Bearer ${KEY}`);
      expect(body.model).toBe("own-model");
      expect(body.messages.at(messages ? 0 : 1)).toMatchObject({ role: "user" });
      const elsewhere = Object.entries(headers).filter(([name]) => name !== "x-api-key" && name !== "authorization");
      expect(JSON.stringify([path, elsewhere, body])).not.toContain(KEY);
    }

    expect(await page.evaluate(kept)).toContain("What do the notes say?");
    expect(await page.evaluate(kept)).not.toContain(KEY);
    for (const tab of ["Request", "Response", "State", "Tool"]) await expect(await person.inspect(tab)).not.toContainText(KEY);
    expect(await page.content()).not.toContain(KEY);

    // Only this tab has it, and only until it is reloaded.
    await page.reload();
    await person.isReady();
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    await expect(page.getByLabel(/^Key/)).toHaveValue("");
    await endpoint.close();
  });
});
