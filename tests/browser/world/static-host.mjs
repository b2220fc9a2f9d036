// The built page as a plain static host would serve it: files and nothing else, but under the page's policy.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// What the bridge sends, without the parts that name the bridge.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves `folder` below the path /somewhere/, as a project page of a static host would; `without` says of a name whether that file is missing. */
export async function serveFiles(folder, { without = () => false } = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://host").pathname;
    const name = normalize(path.endsWith("/") ? `${path}index.html` : path).replace(/^\/somewhere\//, "");
    const file = join(folder, name);
    const found = !without(name) && path.startsWith("/somewhere/") && (await stat(file).catch(() => undefined))?.isFile();
    if (!found) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/somewhere/`,
    close: () => {
      const closed = new Promise((resolve) => server.close(resolve));
      // A browser opens connections ahead of its requests; the server would wait for those.
      server.closeAllConnections();
      return closed;
    },
  };
}
