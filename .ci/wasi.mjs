// Runs a program of WASI, with the present folder as the only one that it sees.
//
//     node .ci/wasi.mjs PROGRAM.wasm [ARGUMENT...]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: ["mola", ...args],
  preopens: { "/": "." },
  returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
