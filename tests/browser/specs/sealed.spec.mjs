// An answer that has streamed in stays as it was drawn; drawn anew, it is the same.
import { startEndpoint } from "../world/endpoint.mjs";
import { expect, inDialect, test } from "../world/world.mjs";

const answers = [
  "Plain, **bold**, `code`, [a link](https://example.org) and ~~struck~~.\n\n1. one\n   - inner\n     - inmost\n2. two\n\n- [x] done\n- [ ] open",
  "| a | b |\n|---|:-:|\n| 1 | `|` |\n| 中文 | |\n\nafter it\n\n> quoted\n> > twice\n\n---\n\n#### End",
  "Code at the end:\n\n```python\nprint(1)  # 一\n\n",
  "```\nonly code\n```",
  "```rust\nfn a() {}\n```\n\n    indented\n\n~~~\n```\n~~~\n\n<b>not bold</b> &amp; \\*star\\* *unclosed **both",
  " \n\n# \n\n|\n|-\n\n[](x) ![]() <>\n\n***",
];

inDialect("Messages", (dialect) => {
  test("what stays of an answer is what a reload draws", async ({ person, page, friends }) => {
    const endpoint = await startEndpoint(dialect, answers.map((text) => ({ text })));
    friends.add(endpoint.origin);
    await person.settings(async (settings) => {
      await settings.getByRole("combobox", { name: "Endpoint" }).selectOption({ label: "Messages-compatible" });
      await settings.getByLabel("Base URL").fill(`${endpoint.origin}/v1`);
      await settings.getByLabel("Model", { exact: true }).fill("own-model");
    });
    for (const nth of answers.keys()) {
      await person.say(`Answer ${nth}`);
      await person.rests();
    }
    const drawn = (all) => all.map((each) => each.innerHTML.replace(/<!--.*?-->/g, ""));
    const looks = () => person.list.locator(".markdown").evaluateAll(drawn);
    const before = await looks();
    await page.reload();
    await person.isReady();
    await expect(person.message(2 * answers.length - 1, "assistant")).toBeVisible();
    const after = await looks();
    expect(before.length).toBeGreaterThanOrEqual(answers.length);
    expect(after).toEqual(before);
    await endpoint.close();
  });
});
