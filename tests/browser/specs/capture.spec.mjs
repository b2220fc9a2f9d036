// A captured answer, from wherever it came: pasted, picked or dropped, by keyboard too. Its dialect is seen and can be
// changed, and the turn is the one that `host-bridge wire decode` prints. Nothing of it leaves the page.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { violations } from "../world/accessibility.mjs";
import { expect, inBothDialects, test } from "../world/world.mjs";

const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const chunk = (delta, more = {}) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, ...more }] })}\n\n`;

/** An answer with words that look like markup and a call, told to have ended without one; cut after so many events. */
const captures = {
  Messages: {
    option: "messages",
    other: "chat",
    cut: 6,
    events: [
      event("message_start", { message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: { input_tokens: 12 } } }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "I look <b>first</b>." } }),
      event("content_block_stop", { index: 0 }),
      event("content_block_start", { index: 1, content_block: { type: "tool_use", id: "id_1", name: "bash", input: {} } }),
      event("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: '{"command":"ls -la","depth":1.10}' } }),
      event("content_block_stop", { index: 1 }),
      event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } }),
      event("message_stop", {}),
    ],
  },
  "Chat Completions": {
    option: "chat",
    other: "messages",
    cut: 2,
    events: [
      chunk({ role: "assistant", content: "I look <b>first</b>." }),
      chunk({ tool_calls: [{ index: 0, id: "id_1", type: "function", function: { name: "bash", arguments: '{"command":"ls -la","depth":1.10}' } }] }),
      chunk({}, { finish_reason: "stop" }),
      `data: ${JSON.stringify({ id: "chatcmpl-1", choices: [], usage: { prompt_tokens: 12, completion_tokens: 7 } })}\n\n`,
      "data: [DONE]\n\n",
    ],
  },
};

async function open(person, page) {
  const panel = await person.inspect("Response");
  await panel.getByRole("button", { name: "Open a capture…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Open a capture" });
  await expect(dialog.getByRole("textbox", { name: /^Paste a stream/ })).toBeFocused();
  return dialog;
}

inBothDialects((dialect) => {
  const capture = captures[dialect.name];
  const whole = capture.events.join("");

  test("what is pasted is assembled as the bridge does it, and read anew in the other dialect", async ({ person, page }, info) => {
    const dialog = await open(person, page);
    const chosen = dialog.getByRole("combobox", { name: "Dialect of the capture" });
    const paper = dialog.getByRole("textbox", { name: /^Paste a stream/ });
    await paper.fill(whole);
    await expect(dialog.getByRole("status")).toContainText("The turn is complete: end_turn.");
    await expect(dialog.getByRole("status")).toContainText("12 tokens in, 7 out");
    await expect(chosen).toHaveValue(capture.option);
    await expect(chosen.locator("option:checked")).toHaveText(`${dialect.name} (as it looks)`);
    await expect(dialog.getByRole("list", { name: "What is odd about it" })).toContainText("although the answer calls tools");
    await expect(dialog).toContainText("I look <b>first</b>.");
    await expect(dialog.getByRole("group", { name: "tool_use bash id_1" })).toContainText("ls -la");
    // Numbers stand there as they were written.
    await expect(dialog.getByRole("group", { name: "tool_use bash id_1" })).toContainText("depth: 1.10");
    await dialog.getByText("The turn as JSON").press("Enter");
    const shown = await dialog.locator("details pre.json").textContent();
    expect(shown).toContain('"depth": 1.10');
    const file = info.outputPath("whole.sse");
    writeFileSync(file, whole);
    const flag = capture.option === "messages" ? "anthropic" : "openai";
    const printed = execFileSync(process.env.LOOPGLASS_BRIDGE, ["wire", "decode", "--json", "--dialect", flag, file]);
    expect(JSON.parse(shown)).toEqual(JSON.parse(printed));
    expect(await violations(page)).toEqual([]);

    await chosen.selectOption(capture.other);
    await expect(dialog.getByRole("status")).toContainText("This is no answer in this dialect.");

    // What is pasted next is seen for what it is again.
    await paper.fill(capture.events.slice(0, capture.cut).join(""));
    await expect(chosen).toHaveValue(capture.option);
    await expect(dialog.getByRole("status")).toContainText("The turn was cut: its end was never told.");
    await expect(dialog.getByRole("list", { name: "What is odd about it" })).toContainText("Call id_1 cannot run");
    await expect(dialog.locator("details pre.json")).toContainText("input_error");
    expect(await violations(page)).toEqual([]);

    await paper.fill("");
    await expect(dialog.getByRole("status")).toContainText("The turn it tells will stand here");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    expect(person.requests()).toEqual([]);
  });

  test("a file is picked, and another is dropped", async ({ person, page }) => {
    const dialog = await open(person, page);
    const chooser = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: "Choose a file…" }).press("Enter");
    const cut = Buffer.from(capture.events.slice(0, capture.cut).join(""));
    await (await chooser).setFiles({ name: "cut.sse", mimeType: "text/event-stream", buffer: cut });
    await expect(dialog).toContainText("cut.sse");
    await expect(dialog.getByRole("status")).toContainText("The turn was cut");

    const files = await page.evaluateHandle((text) => {
      const files = new DataTransfer();
      files.items.add(new File([text], "whole.sse"));
      return files;
    }, whole);
    await dialog.dispatchEvent("drop", { dataTransfer: files });
    await expect(dialog).toContainText("whole.sse");
    await expect(dialog.getByRole("status")).toContainText("The turn is complete: end_turn.");

    // As a folder fails, or a file that is gone: what was looked at stays.
    const folder = await page.evaluateHandle(() => {
      const files = new DataTransfer();
      files.items.add(new File([], "folder"));
      File.prototype.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
      return files;
    });
    await dialog.dispatchEvent("drop", { dataTransfer: folder });
    await expect(dialog.getByRole("alert")).toContainText("folder could not be read");
    await expect(dialog.getByRole("status")).toContainText("The turn is complete: end_turn.");
    await expect(dialog).toContainText("whole.sse");
    expect(person.requests()).toEqual([]);
  });
});
