// Speaks for the page while it cannot speak for itself: before it stands, where it cannot be loaded, and after it has
// crashed. It is a file of its own because the page's policy allows no inline script, and apart from load.js because that
// does not run at all where something it imports cannot be had.
//
// The contract with the page (src/main.rs):
// - `<body data-ready>` is set by the page once it is usable; the loading line goes then.
// - A panic is told by `window.dispatchEvent(new CustomEvent("loopglass-crash", { detail: { message } }))`.

// Asked for before load.js is there, which says what came of it.
export const wasm = fetch(new URL("loopglass_bg.wasm", import.meta.url));
wasm.catch(() => {});

const words = {
  en: {
    loading: "Loading Loopglass…",
    failed: "Loopglass could not be loaded.",
    failedNext: "Check that the bridge (or the server of these files) still runs, then load again.",
    crashed: "Loopglass has crashed. Nothing more runs in this tab.",
    crashedNext: "What was recorded before is kept. Load again to go on from there.",
    reload: "Load again",
  },
  zh: {
    loading: "正在加载循环镜…",
    failed: "循环镜未能加载。",
    failedNext: "请确认桥接程序（或提供这些文件的服务器）仍在运行，然后重新加载。",
    crashed: "循环镜已崩溃，本标签页不再运行任何操作。",
    crashedNext: "此前已记录的内容都在。重新加载即可从那里继续。",
    reload: "重新加载",
  },
}[navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"];

const loading = document.getElementById("loading");
const crash = document.getElementById("crash");

// The first cause is the one worth reading: what follows a crash is mostly its echo.
function show(happened, next, detail) {
  loading.textContent = "";
  if (!crash.hidden) return;
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const reload = element("button", words.reload);
  reload.type = "button";
  reload.addEventListener("click", () => location.reload());
  crash.replaceChildren(element("p", happened), element("p", next), element("code", detail), reload);
  crash.hidden = false;
}

window.addEventListener("loopglass-crash", (event) => {
  show(words.crashed, words.crashedNext, event.detail.message);
});

/** What kept the page from being loaded. */
export function failed(cause) {
  show(words.failed, words.failedNext, String(cause));
}

// A script that cannot be had says so where it stands, and to nobody above.
window.addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && failed(target.src), true);

// A trap that no panic hook announced, such as a stack overflow.
window.addEventListener("error", ({ error }) => {
  if (error instanceof WebAssembly.RuntimeError) show(words.crashed, words.crashedNext, String(error));
});

// Only where it takes long enough to be read: the first text that a browser lays out takes a tenth of the start.
setTimeout(() => {
  if (crash.hidden) loading.textContent = words.loading;
}, 200);
const ready = new MutationObserver(() => {
  if (!("ready" in document.body.dataset)) return;
  ready.disconnect();
  loading.remove();
});
ready.observe(document.body, { attributes: true, attributeFilter: ["data-ready"] });
