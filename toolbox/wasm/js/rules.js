// What scripts import. Every function answers with plain data.

/** Loads the module: by default `mola.wasm` beside this script; or bytes, a compiled module, an address. */
export async function load(source = new URL("mola.wasm", import.meta.url), host = {}) {
  const module = await connect(source, host);
  return {
    position: (line = {}) => module.ask({ ...line, do: "position" }),
    readPgn: (text) => module.ask({ text, do: "readPgn" }),
    writePgn: (game) => module.ask({ ...game, do: "writePgn" }),
    svg: (look = {}) => module.ask({ ...look, do: "svg" }),
    piece: (piece, look = {}) => module.ask({ ...look, piece, do: "piece" }),
    uci: (line) => module.line(line),
  };
}
