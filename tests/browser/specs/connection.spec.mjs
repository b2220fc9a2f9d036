// An endpoint is asked for its models and tried out before anything is said to it: what it answers is told apart, with what
// is likely wrong, and the session is not touched.
import axe from "axe-core";
import { startBridge } from "../world/bridge.mjs";
import { startEndpoint } from "../world/endpoint.mjs";
import { expect, inBothDialects, test } from "../world/world.mjs";

const KEY = "sk-a-key-for-the-trial-4711";

/** The rules of WCAG A and AA that the page breaks now. */
async function violations(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n  ")}`);
}

inBothDialects((dialect) => {
  const messages = dialect.name === "Messages";

  /** The settings with this endpoint in them. */
  async function choose(page, endpoint) {
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    const settings = page.getByRole("dialog", { name: "Settings" });
    await settings
      .getByRole("combobox", { name: "Endpoint" })
      .selectOption({ label: messages ? "Messages-compatible" : "OpenAI-compatible" });
    await settings.getByLabel("Base URL").fill(`${endpoint.origin}/v1`);
    await settings.getByLabel(/^Key/).fill(KEY);
    return settings;
  }

  /** Whatever was read from the card, as the request holds it. */
  const word = (body) => JSON.stringify(body).match(/lantern[0-9a-f]+/)[0];
  const call = { text: "I look.", call: { name: "read_card", input: { card: "7" } } };

  test("all three are found, one after another, and nothing of it is in the session", async ({ person, page, friends }) => {
    const endpoint = await startEndpoint(dialect, [
      { text: "ready" },
      call,
      (body) => ({ text: `It is ${word(body)}.` }),
    ]);
    friends.add(endpoint.origin);
    const settings = await choose(page, endpoint);
    await settings.getByLabel("Model", { exact: true }).fill("own-model");
    await settings.getByRole("button", { name: "Test connection" }).click();
    const found = settings.getByRole("list", { name: "What was found" });
    await expect(found.getByRole("listitem")).toHaveText([/^Answers: yes/, /^Calls tools: yes/, /^Understands results: yes/]);
    await expect(settings.getByRole("button", { name: "Stop the test" })).toBeHidden();
    expect(await violations(page)).toEqual([]);

    expect(endpoint.requests).toHaveLength(3);
    for (const { headers, body } of endpoint.requests) {
      expect(messages ? headers["x-api-key"] : headers.authorization).toBe(messages ? KEY : `Bearer ${KEY}`);
      expect(body.model).toBe("own-model");
    }
    await settings.getByRole("button", { name: "Done" }).click();
    expect(await person.names()).toEqual([]);
    await expect(await person.inspect("Request")).not.toContainText("read_card");
    await endpoint.close();
  });

  test("a call that is written as text is told from one that is made", async ({ person: _, page, friends }) => {
    const written = '<tool_call>{"name":"read_card","arguments":{"card":"7"}}</tool_call>';
    const endpoint = await startEndpoint(dialect, [{ text: "ready" }, { text: written }]);
    friends.add(endpoint.origin);
    const settings = await choose(page, endpoint);
    await settings.getByRole("button", { name: "Test connection" }).click();
    const found = settings.getByRole("list", { name: "What was found" });
    await expect(found.getByRole("listitem")).toHaveText([/^Answers: yes/, /^Calls tools: no/, /^Understands results: not tried/]);
    await expect(found).toContainText("wrote the call as text");
    await expect(found).toContainText("--jinja");
    await expect(found).toContainText(written);
    expect(await violations(page)).toEqual([]);
    await endpoint.close();
  });

  test("refusals and endpoints of another kind say what is likely wrong", async ({ person: _, page, friends }) => {
    const other = { Messages: "Chat Completions", "Chat Completions": "Messages" }[dialect.name];
    const wrong = await startEndpoint({ name: other }, [{ text: "ready" }]);
    const refusing = await startEndpoint(dialect, [{ status: 401, error: `invalid x-api-key ${KEY}` }]);
    friends.add(wrong.origin).add(refusing.origin);
    const settings = await choose(page, wrong);
    const found = settings.getByRole("list", { name: "What was found" });
    await settings.getByRole("button", { name: "Test connection" }).click();
    await expect(found).toContainText("It answers in the other dialect.");

    await settings.getByLabel("Base URL").fill(refusing.origin);
    await settings.getByLabel(/^Key/).fill(KEY);
    await expect(found).toHaveCount(0);
    await settings.getByRole("button", { name: "Test connection" }).click();
    await expect(found).toContainText("It does not accept the key.");
    await expect(found).toContainText("invalid x-api-key (the key)");
    await expect(found).not.toContainText(KEY);
    await wrong.close();
    await refusing.close();

    // Nobody listens there any more, and a browser cannot say more than that nothing could be read.
    await settings.getByRole("button", { name: "Test connection" }).click();
    await expect(found).toContainText("Nothing that a page can read answers at this address of this machine.");
  });

  test("a test can be stopped", async ({ person: _, page, friends }) => {
    const endpoint = await startEndpoint(dialect, [{ pieces: Array(5000).fill("slowly "), perSecond: 20 }]);
    friends.add(endpoint.origin);
    const settings = await choose(page, endpoint);
    await settings.getByRole("button", { name: "Test connection" }).click();
    await expect.poll(() => endpoint.requests.length).toBe(1);
    await settings.getByRole("button", { name: "Stop the test" }).click();
    await expect(settings.getByRole("button", { name: "Test connection" })).toBeEnabled();
    await expect(settings.getByRole("button", { name: "Stop the test" })).toBeHidden();
    await endpoint.close();
  });

  test("the models an endpoint lists are suggested, and any other can be typed", async ({ person: _, page, friends }) => {
    const names = ["own-large", "own-small", "other-tiny"];
    const endpoint = await startEndpoint(dialect, [], { models: names });
    friends.add(endpoint.origin);
    const settings = await choose(page, endpoint);
    const model = settings.getByRole("combobox", { name: "Model", exact: true });
    await settings.getByRole("button", { name: "List the models" }).click();
    const list = settings.getByRole("listbox", { name: "Models" });
    await expect(list.getByRole("option")).toHaveText(names);
    await expect(settings).toContainText("It lists 3 models.");
    await expect(model).toBeFocused();
    await expect(model).toHaveAttribute("aria-expanded", "true");
    expect(await violations(page)).toEqual([]);
    expect(endpoint.lists.map(({ path }) => path)).toEqual([messages ? "/v1/models?limit=1000" : "/v1/models"]);
    expect(messages ? endpoint.lists[0].headers["x-api-key"] : endpoint.lists[0].headers.authorization).toContain(KEY);

    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(list.getByRole("option", { name: "own-small" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(model).toHaveValue("own-small");
    await expect(list).toBeHidden();

    await model.fill("TINY");
    await expect(list.getByRole("option")).toHaveText(["other-tiny"]);
    await page.keyboard.press("Escape");
    await expect(list).toBeHidden();
    await expect(settings).toBeVisible();
    await model.fill("a-name-of-my-own");
    await expect(settings).toContainText("No listed model has this in its name");
    await model.blur();
    await settings.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("combobox", { name: "Model", exact: true })).toHaveValue("a-name-of-my-own");
    await endpoint.close();
  });

  test("an endpoint that lists none says so, and is no obstacle", async ({ person: _, page, friends }) => {
    const endpoint = await startEndpoint(dialect, []);
    friends.add(endpoint.origin);
    const settings = await choose(page, endpoint);
    await settings.getByRole("button", { name: "List the models" }).click();
    await expect(settings).toContainText("It has no list of models at this address. Any name can be typed.");
    await endpoint.close();
  });
});

test.describe("by way of the bridge", () => {
  test.use({
    bridges: async ({ workspace }, use, testInfo) => {
      const endpoint = await startEndpoint(
        { name: "Chat Completions" },
        [{ text: "ready" }, { text: "No cards here." }],
        { models: ["relayed-model"] },
      );
      const bridge = await startBridge({
        workspace: workspace.path,
        log: testInfo.outputPath("bridge.log"),
        variables: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${endpoint.origin}/v1` },
      });
      await use([bridge]);
      expect(endpoint.lists.map(({ path, headers }) => [path, headers.authorization])).toEqual([["/v1/models", `Bearer ${KEY}`]]);
      expect(endpoint.requests).toHaveLength(2);
      expect(await bridge.end(), "processes that survive their bridge").toEqual([]);
      await endpoint.close();
    },
  });

  test("the relay lists and tests with the bridge's own key", async ({ person: _, page }) => {
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    const settings = page.getByRole("dialog", { name: "Settings" });
    await settings.getByRole("combobox", { name: "Endpoint" }).selectOption({ label: "OpenAI" });
    await settings.getByRole("combobox", { name: "Model", exact: true }).fill("");
    await settings.getByRole("button", { name: "List the models" }).click();
    await settings.getByRole("option", { name: "relayed-model" }).click();
    await settings.getByRole("button", { name: "Test connection" }).click();
    const found = settings.getByRole("list", { name: "What was found" });
    await expect(found.getByRole("listitem")).toHaveText([/^Answers: yes/, /^Calls tools: no/, /^Understands results: not tried/]);
    await expect(found).toContainText("It answered in words and called nothing.");
    await expect(found).toContainText("No cards here.");
  });
});
