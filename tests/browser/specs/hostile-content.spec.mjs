// Answers and outputs are data: nothing in them becomes a script, a request, a link to a program or a control code.
import { startEndpoint } from "../world/endpoint.mjs";
import { expect, inBothDialects, test } from "../world/world.mjs";

const answers = [
  `<img src=x onerror="hostile('img')"> <svg onload="hostile('svg')"></svg>`,
  `<script>hostile('script')</script><ScRiPt src="https://evil.example/x.js"></sCrIpT>`,
  `<iframe srcdoc="<script>parent.hostile('iframe')</script>"></iframe>`,
  `<a href="javascript:hostile('a')" onmouseover="hostile('over')" style="position:fixed">raw link</a>`,
  "[first](javascript:hostile('link')) [second](JaVaScRiPt:hostile('case')) [third](java\tscript:hostile('tab'))",
  "[fourth](data:text/html,<script>hostile('data')</script>) [fifth](vbscript:hostile) [sixth](&#106;avascript:hostile('x'))",
  "<javascript:hostile('auto')> <https://evil.example/auto>",
  "![picture](https://evil.example/pixel.png) ![inline](data:image/svg+xml,<svg/onload=hostile('i')>)",
  '<form action="https://evil.example"><button>send</button></form><input autofocus onfocus="hostile(1)">',
  '<style>body { display: none }</style><link rel="stylesheet" href="https://evil.example/x.css">',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  "<math><mtext><table><mglyph><style><img src=x onerror=hostile('mxss')>",
  '[title](https://example.org "\\" onclick=hostile(1) x=\\"") <!-- --!><img src=x onerror=hostile(2)> -->',
  "bell \u0007, escape \u001b]52;c;aG9zdGlsZQ==\u0007, c1 \u009b2J, delete \u007f",
  "nul \u0000<b\u0000 onclick=hostile(3)>, right-to-left \u202e and unclosed <img src=x onerror=hostile(4) ",
].join("\n\n");

const ESC = "\\033";
const outputs = [
  // First, since what stands before it is cleared from the model's view as from a terminal's.
  `${ESC}[2J${ESC}[31mred${ESC}[0m ${ESC}]0;title\\007after`,
  `<img src=x onerror=hostile(1)><script>hostile(2)</script>`,
  `${ESC}]52;c;aG9zdGlsZQ==\\007clipboard`,
  `${ESC}]8;;javascript:hostile(3)${ESC}\\\\linked${ESC}]8;;${ESC}\\\\`,
  `${ESC}Pdcs${ESC}\\\\ \\302\\233 31m c1 ${ESC}`,
];

const allowed = new Set(
  `a article aside b blockquote br button code dd del details div dl dt em footer h1 h2 h3 h4 h5 h6 header hr i
  input label li ol output p path pre s section small span strong sub summary sup svg table tbody td th thead time tr ul`.split(/\s+/),
);

/** What stands in the page that an answer could have put there. */
const elements = (list) =>
  [...list.querySelectorAll("*")].map((element) => ({
    name: element.localName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  }));

async function checkHarmless(person) {
  const found = await person.list.evaluate(elements);
  expect(found.length).toBeGreaterThan(10);
  for (const { name, attributes } of found) {
    expect(allowed, `an element ${name}`).toContain(name);
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute).not.toMatch(/^on|^src$|^srcdoc$|^action$|^formaction$|^autofocus$/);
      if (attribute === "href") expect(value).toMatch(/^(https?:|mailto:|#)/);
    }
  }
  expect(await person.page.evaluate(() => window.hostiles)).toEqual([]);
  const controls = await person.page.evaluate(() =>
    [...document.body.innerText].map((character) => character.codePointAt(0)).filter((code) => {
      const seen = code === 9 || code === 10;
      return !seen && (code < 32 || (code >= 127 && code < 160));
    }),
  );
  expect(controls, "control characters").toEqual([]);
}

inBothDialects((dialect) => {
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      window.hostiles = [];
      window.hostile = (what) => window.hostiles.push(what);
    }),
  );

  test("T22, T23, case 36: an answer full of tags, links and pictures", async ({ person, page, friends }) => {
    await page.reload();
    await person.isReady();
    const endpoint = await startEndpoint(dialect, [{ text: answers }]);
    friends.add(endpoint.origin);
    await person.settings(async (settings) => {
      await settings
        .getByRole("combobox", { name: "Endpoint" })
        .selectOption({ label: dialect.name === "Messages" ? "Messages-compatible" : "OpenAI-compatible" });
      await settings.getByLabel("Base URL").fill(`${endpoint.origin}/v1`);
      await settings.getByLabel("Model", { exact: true }).fill("own-model");
    });
    await person.say("Be hostile");
    await person.rests();
    await expect(person.message(1, "assistant")).toContainText("raw link");
    await checkHarmless(person);
    for (const link of await person.message(1, "assistant").getByRole("link").all()) {
      await expect(link).toHaveAttribute("rel", /noopener/);
    }
    await endpoint.close();
  });

  test("T26, T28: output full of tags and terminal codes", async ({ person, page, workspace }) => {
    await page.reload();
    await person.isReady();
    await person.hasShell();
    await person.chooseModel("practice/run");
    await person.say(`$ printf '${outputs.join("\\n")}\\n'`);
    await person.allow();
    await person.rests();
    await expect(person.result(2)).toContainText("<img src=x onerror=hostile(1)>");
    await expect(person.result(2)).toContainText("clipboard");
    await checkHarmless(person);
    for (const tab of ["Request", "Response", "State", "Tool"]) {
      await person.inspect(tab);
      await checkHarmless(person);
    }
    await page.reload();
    await person.isReady();
    await expect(person.result(2)).toContainText("clipboard");
    await checkHarmless(person);

    // The lessons keep terminal codes in what the model reads.
    await person.settings((settings) =>
      settings.getByRole("combobox", { name: "Wording of results" }).selectOption({ index: 1 }),
    );
    await person.hasShell();
    await person.say(`$ printf '${outputs.join("\\n")}\\n'`);
    await person.allow();
    await person.rests();
    await expect(person.result(6)).toContainText("]52;c;aG9zdGlsZQ==");
    await checkHarmless(person);
    expect(workspace.has("notes.txt")).toBe(true);
  });
});
