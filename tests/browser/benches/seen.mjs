// What a person sees and when, measured inside the page: `bench` stands in each page of a context that is given this.

/** For `context.addInitScript`. */
export function seen() {
  /** The next frame: `look` is asked right before it is painted, and answered for after. */
  const frame = (look) =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const answer = look();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(answer);
        port2.postMessage(undefined);
      });
    });
  const entries = () => document.querySelector('[aria-label="messages"][role="list"]');
  // The page's memory, as its first file makes it: the parts that come later share it.
  let memory;
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const made = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const result = await made.apply(WebAssembly, given);
      memory ??= (result.instance ?? result).exports.memory;
      return result;
    };
  }
  window.bench = {
    frame,
    /** What the page has on its heaps, in bytes: what JavaScript cannot let go of, and all of WebAssembly's memory. */
    heap() {
      gc();
      return performance.memory.usedJSHeapSize + memory.buffer.byteLength;
    },
    /** The most of it, looked at over and over, until the function that this gives is called. */
    mostHeap() {
      let most = 0;
      const look = () => (most = Math.max(most, bench.heap()));
      const looking = setInterval(look, 1_000);
      return () => {
        clearInterval(looking);
        look();
        return most;
      };
    },
    /** Milliseconds from `act` until a frame is painted in which `isShown`. */
    async painted(act, isShown) {
      const began = performance.now();
      act();
      while (!(await frame(isShown))) if (performance.now() - began > 60_000) throw new Error("nothing was shown for a minute");
      return performance.now() - began;
    },
    /** Whether `messages` ends with this entry (-1: is empty), and its end is in view. */
    isEnd(last) {
      const items = [...(entries()?.children ?? [])].filter((item) => item.ariaLabel?.startsWith("messages["));
      if (last < 0) return items.length === 0;
      const item = items.at(-1);
      if (!item?.ariaLabel.startsWith(`messages[${last}] `)) return false;
      const view = document.querySelector(".scroller").getBoundingClientRect();
      const { bottom } = item.getBoundingClientRect();
      return bottom > view.top && bottom <= view.bottom + 1;
    },
    /** Begins to watch tasks, frames and keys; the function that ends it gives what was seen, in milliseconds. */
    watch() {
      const tasks = [];
      const keys = [];
      const frames = [];
      const task = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
      task.observe({ type: "longtask" });
      const key = new PerformanceObserver((list) => {
        for (const { name, duration } of list.getEntries()) if (name === "keydown") keys.push(duration);
      });
      key.observe({ type: "event", durationThreshold: 16 });
      let watches = true;
      let last = performance.now();
      const tick = (now) => {
        frames.push(now - last);
        last = now;
        if (watches) requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
      return () => {
        watches = false;
        tasks.push(...task.takeRecords());
        for (const { name, duration } of key.takeRecords()) if (name === "keydown") keys.push(duration);
        task.disconnect();
        key.disconnect();
        frames.sort((one, other) => one - other);
        return {
          // The browser tells of no task below 50 ms.
          task: Math.max(0, ...tasks.map(({ duration }) => duration)),
          tasks: tasks.length,
          key: Math.max(0, ...keys),
          frame: frames[Math.floor(frames.length * 0.95)] ?? 0,
        };
      };
    },
  };
}
