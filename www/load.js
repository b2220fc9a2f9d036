// Loads the page's WebAssembly. xtask/src/minify.rs puts what it imports, but for start.js, into the one file.
import init from "./loopglass.js";
import { failed, wasm } from "./start.js";

async function load() {
  const response = await wasm;
  if (!response.ok) throw new Error(`loopglass_bg.wasm: ${response.status} ${response.statusText}`);
  await init({ module_or_path: response });
}

load().catch(failed);
