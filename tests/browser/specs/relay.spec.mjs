// By way of the bridge: a service that admits no web page is called all the same, and the page never has its key.
import { startBridge } from "../world/bridge.mjs";
import { startEndpoint } from "../world/endpoint.mjs";
import { expect, inBothDialects, test as base } from "../world/world.mjs";

const KEY = "sk-the-bridge-alone-has-4711";
const TYPED = "sk-typed-in-the-page-0815";

const test = base.extend({
  endpoint: async ({ dialect }, use) => {
    const endpoint = await startEndpoint(dialect, [{ text: "By way of the bridge." }, { text: "Once more." }]);
    await use(endpoint);
    await endpoint.close();
  },

  bridges: async ({ workspace, endpoint, dialect }, use, testInfo) => {
    const variable = dialect.name === "Messages" ? "ANTHROPIC" : "OPENAI";
    const version = dialect.name === "Messages" ? "" : "/v1";
    const bridge = await startBridge({
      workspace: workspace.path,
      log: testInfo.outputPath("bridge.log"),
      variables: { [`${variable}_API_KEY`]: KEY, [`${variable}_BASE_URL`]: `${endpoint.origin}${version}` },
    });
    await use([bridge]);
    expect(await bridge.end(), "processes that survive their bridge").toEqual([]);
  },
});

inBothDialects((dialect) => {
  const messages = dialect.name === "Messages";
  const name = messages ? "anthropic" : "openai";
  const keyOf = ({ headers }) => (messages ? headers["x-api-key"] : headers.authorization?.replace("Bearer ", ""));

  test("the preset uses the key of the bridge, and a typed one only for its request", async ({ person, page, endpoint }) => {
    await person.settings(async (settings) => {
      await settings
        .getByRole("combobox", { name: "Endpoint" })
        .selectOption({ label: messages ? "Anthropic" : "OpenAI" });
      await settings.getByLabel("Model", { exact: true }).fill("a-model");
      await expect(settings).toContainText(`By way of the bridge, with the bridge’s key: /relay/${name}`);
      await expect(settings).toContainText(`${name} (has its key)`);
    });
    await person.say("Hello.");
    await person.rests();
    await expect(person.message(1, "assistant")).toContainText("By way of the bridge.");
    await expect(await person.inspect("Request")).toContainText(`/relay/${name}/`);
    await person.settings(async (settings) => {
      await settings.getByLabel(/^Key/).fill(TYPED);
      await expect(settings).toContainText("with the key typed here, which it does not keep");
    });
    await person.say("Again.");
    await person.rests();
    expect(endpoint.requests.map(keyOf)).toEqual([KEY, TYPED]);
    for (const { headers } of endpoint.requests) {
      expect(headers).not.toHaveProperty("origin");
      expect(headers).not.toHaveProperty("cookie");
      expect(headers).not.toHaveProperty("x-relay-key");
    }
    for (const secret of [KEY, TYPED]) expect(await page.content()).not.toContain(secret);
  });
});
