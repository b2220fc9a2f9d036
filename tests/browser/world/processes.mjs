// What really runs on this machine, read from /proc.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Every process that lives: `{ pid, parent, command, folder }`. A zombie does not live. */
export function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z" || state === "X") return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return [{ pid: Number(pid), parent: Number(parent), command, folder: readlinkSync(`/proc/${pid}/cwd`) }];
      } catch {
        // It ended while it was read.
        return [];
      }
    });
}

/** The processes below `root`, without it. */
export function descendants(root) {
  const all = processes();
  const found = [];
  for (let parents = [root]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

/** The processes whose command line holds `marker`. */
export const marked = (marker) => processes().filter(({ command }) => command.includes(marker));

/** The processes that work in `folder` or below it. */
export const workingIn = (folder) =>
  processes().filter((process) => process.folder === folder || process.folder.startsWith(`${folder}/`));

let markers = 0;

/** A command that lasts longer than any test, and the text by which its process is found. */
export function longSleep() {
  markers += 1;
  const marker = `1000.${process.pid}${String(markers).padStart(3, "0")}`;
  return { command: `sleep ${marker}`, marker };
}
