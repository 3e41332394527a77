// The module that scripts import. Every function of the rules returns plain data.

/** Loads the rules: by default `rules.wasm` beside this script; or bytes, a compiled module, an address. */
export async function load(source = new URL("rules.wasm", import.meta.url)) {
  const module = await connect(await reachable(source));
  return {
    position: (line = {}) => module.ask({ ...line, do: "position" }),
    readPgn: (text) => module.ask({ text, do: "readPgn" }),
    writePgn: (game) => module.ask({ ...game, do: "writePgn" }),
    svg: (look = {}) => module.ask({ ...look, do: "svg" }),
    piece: (piece, look = {}) => module.ask({ ...look, piece, do: "piece" }),
  };
}

/** Loads the engine into the calling thread: by default `mola.wasm` beside this script. */
export async function loadEngine(source = new URL("mola.wasm", import.meta.url), host = {}) {
  const module = await connect(await reachable(source), host);
  return { uci: (line) => module.line(line) };
}

/** A source as it is; but Node fetches no files, so there it is read. */
async function reachable(source) {
  const isAddress = typeof source === "string" || source instanceof URL;
  if (!isAddress || !/^file:/.test(source) || !globalThis.process?.versions?.node) return source;
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
  return readFile(new URL(source));
}
