// A capture of an answer, from wherever it came: pasted, picked or dropped, its dialect guessed and changeable, and the turn
// that it tells. Nothing of it leaves the page.
import axe from "axe-core";
import { expect, test } from "../world/world.mjs";

const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const messages = [
  event("message_start", { message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: { input_tokens: 12 } } }),
  event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "I look <b>first</b>." } }),
  event("content_block_stop", { index: 0 }),
  event("content_block_start", { index: 1, content_block: { type: "tool_use", id: "toolu_1", name: "bash", input: {} } }),
  event("content_block_delta", { index: 1, delta: { type: "input_json_delta", partial_json: '{"command":"ls -la"}' } }),
  event("content_block_stop", { index: 1 }),
  event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } }),
  event("message_stop", {}),
];
const chat = `data: ${JSON.stringify({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "call_1", function: { name: "bash", arguments: '{"comm' } }] } }],
})}\n\n`;

async function open(person, page) {
  const panel = await person.inspect("Response");
  await panel.getByRole("button", { name: "Open a capture…" }).click();
  return page.getByRole("dialog", { name: "A captured answer" });
}

/** The rules of WCAG A and AA that the page breaks now. */
async function violations(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n  ")}`);
}

test("a pasted stream is assembled, and its dialect is guessed and can be changed", async ({ person, page }) => {
  const dialog = await open(person, page);
  const dialect = dialog.getByRole("combobox", { name: "Dialect of the capture" });
  await dialog.getByRole("textbox", { name: /^Paste a stream/ }).fill(messages.join(""));
  await expect(dialect.getByRole("option", { name: "Messages (as it looks)" })).toBeAttached();
  await expect(dialect).toHaveValue("messages");
  await expect(dialog).toContainText("Complete: end_turn. 12 tokens in, 7 out");
  await expect(dialog).toContainText("I look <b>first</b>.");
  await expect(dialog).toContainText('"ls -la"');
  await expect(dialog.getByRole("list", { name: "What is odd about it" })).toContainText("although the answer calls tools");
  await dialog.getByText("9 events").click();
  await expect(dialog.getByRole("list").last()).toContainText("message_start");
  expect(await violations(page)).toEqual([]);

  await dialect.selectOption("chat");
  await expect(dialog).toContainText("Not this dialect. Try the other one.");
  await dialog.getByRole("textbox", { name: /^Paste a stream/ }).fill(messages.slice(0, 6).join(""));
  await expect(dialect).toHaveValue("messages");
  await expect(dialog).toContainText("Cut: it ends before its end is told.");
  await expect(dialog).toContainText("These arguments cannot be used:");
  expect(await violations(page)).toEqual([]);
  expect(person.requests()).toEqual([]);
});

test("a file is picked, and another is dropped", async ({ person, page }) => {
  const dialog = await open(person, page);
  await dialog
    .getByLabel("Or pick a file")
    .setInputFiles({ name: "cut.sse", mimeType: "text/event-stream", buffer: Buffer.from(chat) });
  await expect(dialog.getByRole("combobox", { name: "Dialect of the capture" })).toHaveValue("chat");
  await expect(dialog).toContainText("cut.sse");
  await expect(dialog).toContainText("Cut: it ends before its end is told.");

  const files = await page.evaluateHandle((text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "whole.sse"));
    return files;
  }, messages.join(""));
  await dialog.dispatchEvent("drop", { dataTransfer: files });
  await expect(dialog).toContainText("whole.sse");
  await expect(dialog).toContainText("Complete: end_turn.");
});
