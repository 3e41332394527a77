// The other end of src/exports.rs: a module, and texts that go in and out of it.

/** What is said for a module that has ended by a fault of its own. */
class Fault extends Error {}

/**
 * Starts a module: compiled, as bytes, or as an address to fetch. The host may have `say`, which
 * takes each line of the engine, and `interrupt`, which tells what a search is to do.
 */
async function connect(source, host = {}) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let exports = null;
  let reason = "";
  const read = (at, length) => decoder.decode(new Uint8Array(exports.memory.buffer, at, length));
  const imports = {
    mola: {
      now: () => performance.timeOrigin + performance.now(),
      say: (at, length) => {
        for (const line of read(at, length).trimEnd().split("\n")) host.say?.(line);
      },
      fail: (at, length) => {
        reason = read(at, length);
      },
      interrupt: () => host.interrupt?.() ?? 0,
    },
  };
  const module = await compiled(source);
  ({ exports } = await WebAssembly.instantiate(module, imports));
  const write = (text) => {
    const bytes = encoder.encode(text);
    // The memory is another one once it has grown for the buffer.
    const at = exports.mola_buffer(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  };
  const guarded = (action) => {
    try {
      return action();
    } catch (error) {
      throw new Fault(reason || String(error));
    }
  };
  exports.mola_start();
  return {
    /** Asks for rules, games or pictures. */
    ask(request) {
      const answer = guarded(() => {
        write(JSON.stringify(request));
        const length = exports.mola_answer();
        return JSON.parse(read(exports.mola_buffer(length), length));
      });
      if (answer?.error !== undefined) throw new Error(answer.error);
      return answer;
    },
    /** Hands the engine a line: 0 after `quit`, 2 while a best move is held back, else 1. */
    line(text) {
      return guarded(() => {
        write(text);
        return exports.mola_line();
      });
    },
  };
}

/** A module of what may be one. Servers that do not know the type of such files are no hindrance. */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
