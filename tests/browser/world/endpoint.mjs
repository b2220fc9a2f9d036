// A small endpoint of our own: it admits web pages, remembers what it was sent, and answers from a list, streamed as
// either service streams. It is for what the practice model cannot show: keys, addresses, and hostile answers.
import { createServer } from "node:http";

/**
 * Answers the nth POST with the nth of `answers`: `{ text, command }`, where a command becomes a call of bash, or
 * `{ text, call: { name, input } }`. An answer with `{ pieces, perSecond }` instead of a text takes its time, one with a
 * `status` is a refusal in the words of its `error`, and a function is asked with the request's body. `models` are the
 * names it lists; without them it has no list.
 */
export async function startEndpoint(dialect, answers, { models } = {}) {
  const requests = [];
  const lists = [];
  let sent = 0;
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "*, authorization");
      if (request.method === "OPTIONS") return response.writeHead(204).end();
      if (request.method === "GET") {
        lists.push({ path: request.url, headers: request.headers });
        response.writeHead(models === undefined ? 404 : 200, { "content-type": "application/json" });
        return response.end(JSON.stringify({ data: (models ?? []).map((id) => ({ id })) }));
      }
      let answer = answers[requests.length];
      requests.push({
        method: request.method,
        path: request.url,
        headers: request.headers,
        body: JSON.parse(Buffer.concat(parts).toString("utf8") || "null"),
      });
      if (typeof answer === "function") answer = answer(requests.at(-1).body);
      if (answer === undefined) return response.writeHead(500).end();
      if (answer.status !== undefined) {
        response.writeHead(answer.status, { "content-type": "application/json" });
        return response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: answer.error } }));
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      send(response, streams[dialect.name](answer), answer.perSecond, (bytes) => (sent += bytes));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** How often, and how, its models were asked for. */
    lists,
    /** How many bytes of answers it has streamed. */
    get sent() {
      return sent;
    },
    /** One more answer. */
    answer: (next) => answers.push(next),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** All at once, or so many events each second. */
async function send(response, events, perSecond = Infinity, count) {
  const began = performance.now();
  for (let sent = 0; sent < events.length; ) {
    const due = perSecond === Infinity ? events.length : Math.ceil(((performance.now() - began) / 1000) * perSecond);
    const text = events.slice(sent, due).join("");
    response.write(text);
    count(Buffer.byteLength(text));
    sent = Math.max(sent, due);
    if (sent < events.length) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  response.end();
}

// Cut so small that every mark of Markdown and every tag falls apart somewhere.
const deltas = (text) => text.match(/[^]{1,3}/gu) ?? [];

const bash = (command) => (command === undefined ? undefined : { name: "bash", input: { command } });

const streams = {
  Messages({ text, command, call = bash(command), pieces = deltas(text) }) {
    const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const block = (index, content_block, pieces) => [
      event("content_block_start", { index, content_block }),
      ...pieces.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ];
    const start = { id: "msg_1", type: "message", role: "assistant", model: "own", content: [], stop_reason: null };
    const usage = { input_tokens: 7, output_tokens: 9 };
    const input = { type: "tool_use", id: "toolu_1", name: call?.name, input: {} };
    return [
      event("message_start", { message: { ...start, stop_sequence: null, usage } }),
      ...block(0, { type: "text", text: "" }, pieces.map((text) => ({ type: "text_delta", text }))),
      ...(call === undefined
        ? []
        : block(1, input, [{ type: "input_json_delta", partial_json: JSON.stringify(call.input) }])),
      event("message_delta", {
        delta: { stop_reason: call === undefined ? "end_turn" : "tool_use", stop_sequence: null },
        usage,
      }),
      event("message_stop", {}),
    ];
  },

  "Chat Completions"({ text, command, call = bash(command), pieces = deltas(text) }) {
    const chunk = (delta, finish_reason = null) =>
      `data: ${JSON.stringify({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 0,
        model: "own",
        choices: [{ index: 0, delta, finish_reason }],
      })}\n\n`;
    const first = { index: 0, id: "call_1", type: "function" };
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces.map((content) => chunk({ content })),
      ...(call === undefined
        ? []
        : [chunk({ tool_calls: [{ ...first, function: { name: call.name, arguments: JSON.stringify(call.input) } }] })]),
      chunk({}, call === undefined ? "stop" : "tool_calls"),
      "data: [DONE]\n\n",
    ];
  },
};
