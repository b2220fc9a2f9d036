// Writes NAME.br and NAME.gz beside every file of the built page that they make smaller. Run as
// `node compress.mjs FOLDER`; Node brings both compressors, compiled for speed, so that xtask need not.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [folder] = process.argv.slice(2);
const compressible = /\.(css|html|js|json|svg|txt|wasm|webmanifest)$/;
const entries = await readdir(folder, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));

await Promise.all(
  files.map(async (file) => {
    const path = join(file.parentPath, file.name);
    const plain = await readFile(path);
    const brotliOptions = {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    };
    const variants = {
      br: await promisify(brotliCompress)(plain, brotliOptions),
      gz: await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
    };
    for (const [ending, variant] of Object.entries(variants)) {
      if (variant.length < plain.length) await writeFile(`${path}.${ending}`, variant);
    }
  }),
);
