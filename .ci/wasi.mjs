// Runs a WASI program with access to the current folder only.
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
// Wrapped in JavaScript functions, because Node 20 sometimes crashes when V8 calls its WASI directly.
const calls = Object.entries(wasi.wasiImport).map(([name, call]) => [name, (...words) => call(...words)]);
const imports = { wasi_snapshot_preview1: Object.fromEntries(calls) };
const instance = await WebAssembly.instantiate(module, imports);
process.exitCode = wasi.start(instance);
