// A real bridge, as a person starts it, and what it leaves when it is ended.
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { descendants, processes, workingIn } from "./processes.mjs";

/**
 * Starts the bridge in `workspace`, with these further arguments and variables, and waits for its link. Its log is
 * appended to the file `log`. A developer's own configuration takes no part.
 */
export async function startBridge({ workspace, log, port = 0, further = [], variables = {} }) {
  const program = process.env.LOOPGLASS_BRIDGE;
  if (!program) throw new Error("LOOPGLASS_BRIDGE names no bridge: run `cargo xtask test --only browser`");
  const child = spawn(program, ["--sandbox", "off", "--port", String(port), "--no-open", "--workspace", workspace, ...further], {
    env: { ...process.env, XDG_CONFIG_HOME: "/nonexistent", XDG_STATE_HOME: `${log}.state`, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
  child.stderr.pipe(createWriteStream(log, { flags: "a" }));
  const lines = createInterface({ input: child.stdout });
  const link = await Promise.race([
    new Promise((resolve) => lines.once("line", resolve)),
    ended.then(({ code }) => Promise.reject(new Error(`the bridge ended with code ${code}; see ${log}`))),
  ]);
  return new Bridge({ child, ended, link, workspace, log });
}

class Bridge {
  #child;
  #ended;

  constructor({ child, ended, link, workspace, log }) {
    this.#child = child;
    this.#ended = ended;
    this.link = link;
    this.workspace = workspace;
    this.log = log;
    this.origin = new URL(link).origin;
    this.port = Number(new URL(link).port);
  }

  /** The ids of every process it has started and that lives. A command changes them: it takes the supervisor that waits. */
  processIds() {
    return descendants(this.#child.pid)
      .map(({ pid }) => pid)
      .sort();
  }

  /** Ends it as Ctrl-C does, or as nobody would wish; returns what survives it. */
  async end(signal = "SIGINT") {
    const before = [this.#child.pid, ...this.processIds()];
    this.#child.kill(signal);
    await this.#ended;
    const survivors = () => [
      ...processes().filter(({ pid }) => before.includes(pid)),
      ...workingIn(this.workspace).filter(({ pid }) => !before.includes(pid)),
    ];
    // A killed process needs a moment to be gone: this is how long it gets.
    for (let wait = 0; wait < 100 && survivors().length > 0; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return survivors();
  }

  /** Another bridge on the same port, as after a restart: with a new token. */
  restarted() {
    return startBridge({ workspace: this.workspace, log: this.log, port: this.port });
  }
}
