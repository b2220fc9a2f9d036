// What a refusal teaches about an endpoint outlives the session: the next one heeds it from its first request on, until a
// person has it forgotten.
import { startEndpoint } from "../world/endpoint.mjs";
import { expect, test } from "../world/world.mjs";

const dialect = { name: "Chat Completions" };
const refusal = {
  status: 400,
  error: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
};

test("a lesson is kept for its endpoint, shown in the settings, and can be forgotten", async ({ person, page, friends }) => {
  const endpoint = await startEndpoint(dialect, [refusal, { text: "Hello." }, { text: "Again." }, { text: "Once more." }]);
  friends.add(endpoint.origin);
  const names = () => endpoint.requests.map(({ body }) => Object.keys(body).find((name) => /^max_/.test(name)));
  await person.settings(async (settings) => {
    await settings.getByRole("combobox", { name: "Endpoint" }).selectOption({ label: "OpenAI-compatible" });
    await settings.getByLabel("Base URL").fill(`${endpoint.origin}/v1`);
    await settings.getByLabel("Model", { exact: true }).fill("own-model");
  });
  await person.say("Hello?");
  await person.rests();
  expect(names()).toEqual(["max_tokens", "max_completion_tokens"]);

  // A session that has never met the endpoint, after a reload.
  await person.button("New session").click();
  await page.reload();
  await person.isReady();
  await person.hasShell();
  await person.say("And you?");
  await person.rests();
  expect(names()).toEqual(["max_tokens", "max_completion_tokens", "max_completion_tokens"]);
  await expect(await person.inspect("State")).toContainText("learnt");

  await person.settings(async (settings) => {
    await expect(settings).toContainText("the limit is called max_completion_tokens");
    await settings.getByRole("button", { name: "Forget it" }).click();
    await expect(settings).not.toContainText("the limit is called max_completion_tokens");
  });
  await person.button("New session").click();
  await person.say("Still there?");
  await person.rests();
  expect(names().at(-1)).toBe("max_tokens");
  await endpoint.close();
});
