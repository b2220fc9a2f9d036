// A directory on the real disk for one test, as lesson 1 has it.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const lessonOne = {
  "app.py": 'from utils import greet\n\nprint(greet("Loopglass"))\n',
  "utils.py": 'def greet(name):\n    return f"Hello, {name}"\n',
  "notes.txt": "Two programs and a text.\n",
};

export class Workspace {
  constructor(files) {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "loopglass-")));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.path, name), text);
  }

  has(name) {
    return existsSync(join(this.path, name));
  }

  read(name) {
    return readFileSync(join(this.path, name), "utf8");
  }

  write(name, text) {
    writeFileSync(join(this.path, name), text);
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}
