// Another page on this machine, which a browser takes for the same site; and the way of the token in a browser.
import { createServer } from "node:http";
import { expect, test } from "../world/world.mjs";

const token = (bridge) => new URL(bridge.link).hash.replace("#token=", "");

test("T13, case 7: a page of another port gets nothing, even with the token", async ({ page, context, bridge }) => {
  // This browser knows the bridge's page, and has its token.
  await page.goto(bridge.link);
  await page.waitForSelector("body[data-ready]");
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>next door"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const neighbour = await context.newPage();
  await neighbour.goto(`http://127.0.0.1:${server.address().port}/`);
  const tried = await neighbour.evaluate(
    async ([port, secret]) => {
      const origin = `http://127.0.0.1:${port}`;
      const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, ["loopglass.v1", `loopglass.auth.${secret}`]);
      const opened = await new Promise((resolve) => {
        socket.onopen = () => resolve(true);
        socket.onclose = () => resolve(false);
      });
      const answer = (path, init) => fetch(origin + path, { credentials: "include", ...init }).then(
        async (response) => `${response.type} ${await response.text()}`,
        () => "refused",
      );
      const key = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      return {
        opened,
        page: await answer("/"),
        call: await answer("/practice/openai/v1/chat/completions", { method: "POST", headers: key, body: "{}" }),
        blind: await answer("/relay/anthropic/v1/messages", { method: "POST", mode: "no-cors", body: "{}" }),
        kept: JSON.stringify([sessionStorage, localStorage, document.cookie]),
      };
    },
    [bridge.port, token(bridge)],
  );
  expect(tried).toEqual({ opened: false, page: "refused", call: "refused", blind: expect.any(String), kept: '[{},{},""]' });
  expect(["refused", "opaque "]).toContain(tried.blind);
  await neighbour.close();
  server.close();
});

test("T19: the token leaves the address before anything is asked for with it", async ({ page, bridge }) => {
  const secret = token(bridge);
  const asked = [];
  page.on("request", (request) => asked.push(JSON.stringify([request.url(), request.headers()])));
  page.on("websocket", (socket) => asked.push(socket.url()));
  await page.goto(bridge.link);
  await page.waitForSelector("body[data-ready]");
  await expect(page.getByText(bridge.workspace).first()).toBeVisible();
  expect(page.url()).toBe(`${bridge.origin}/`);
  expect(await page.evaluate(() => location.href)).not.toContain(secret);
  expect(await page.evaluate(() => JSON.stringify([document.cookie, localStorage]))).not.toContain(secret);
  expect(asked.length).toBeGreaterThan(3);
  for (const request of asked) expect(request).not.toContain(secret);
  await page.goBack().catch(() => undefined);
  expect(page.url()).not.toContain(secret);
});
