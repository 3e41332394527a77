// The other end of src/exports.rs: a module, and texts that go in and out of it.

/** What is said for a module that has ended by a fault of its own. */
class Fault extends Error {}

/** The stack of a thread, in bytes: as large as that of the first. */
const STACK = 8 << 20;
/** The limits of shared memory, in pages of 64 KiB: as the build has them. */
const SHARED_PAGES = { initial: 512, maximum: 32768 };

/**
 * Starts a module: compiled, as bytes, or as an address to fetch. The host may have `say`, which
 * takes each line of the engine, and `interrupt`, which tells what a search is to do; and for a module
 * that has threads, the `memory` that they share, and `spawn`, which begins one.
 */
async function connect(source, host = {}) {
  const encoder = new TextEncoder();
  const module = await compiled(source);
  const { exports, memory, read, guarded } = await instance(module, host);
  const write = (text) => {
    const bytes = encoder.encode(text);
    // The memory is another one once it has grown for the buffer.
    const at = exports.mola_buffer(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
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
    /** Takes back the memory of a thread that has ended. */
    free: ({ number }) => exports.mola_thread_end(number),
  };
}

/** Does in this thread what another has begun; returns when it is done. */
async function runThread(module, memory, { number, at, size }) {
  const { exports, guarded } = await instance(module, { memory });
  // What is local to the thread lies at the beginning, and the stack grows down from the end.
  exports.__stack_pointer.value = at + size;
  exports.__wasm_init_tls(at);
  guarded(() => exports.mola_thread(number));
}

/** The module with its imports, and what both ends of it need. */
async function instance(module, host) {
  const decoder = new TextDecoder();
  let reason = "";
  let exports = null;
  let { memory } = host;
  // A copy: shared memory cannot be decoded.
  const read = (at, length) => decoder.decode(new Uint8Array(memory.buffer, at, length).slice());
  const mola = {
    now: () => performance.timeOrigin + performance.now(),
    say: (at, length) => {
      for (const line of read(at, length).trimEnd().split("\n")) host.say?.(line);
    },
    fail: (at, length) => {
      reason = read(at, length);
    },
    interrupt: () => host.interrupt?.() ?? 0,
    spawn: (number) => {
      const size = STACK + Math.ceil(exports.__tls_size.value / 16) * 16;
      const at = exports.mola_thread_memory(number, size);
      if (at === 0) throw new Fault("no memory for a thread");
      host.spawn?.({ number, at, size });
    },
  };
  ({ exports } = await WebAssembly.instantiate(module, { mola, env: { memory } }));
  memory ??= exports.memory;
  const guarded = (action) => {
    try {
      return action();
    } catch (error) {
      throw new Fault(reason || String(error));
    }
  };
  return { exports, memory, read, guarded };
}

/** Memory for a module that has threads; none for one that brings its own. */
function memoryFor(module) {
  const isShared = WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
  return isShared ? new WebAssembly.Memory({ ...SHARED_PAGES, shared: true }) : undefined;
}

/** A module of what may be one. Servers that do not know the type of such files are no hindrance. */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
