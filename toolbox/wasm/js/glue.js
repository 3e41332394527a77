// The JavaScript side of src/exports.rs: instantiates a module, and passes strings to and from it.

/** The error of a module that has trapped or panicked. */
class Fault extends Error {}

/** The stack of a thread, in bytes: as large as that of the main thread. */
const STACK = 8 << 20;
/** The limits of shared memory, in pages of 64 KiB: the same as in the build. */
const SHARED_PAGES = { initial: 512, maximum: 32768 };

/**
 * Starts a module: compiled, as bytes, or as an address to fetch. The host may have `say`, called with
 * each line of the engine, and `interrupt`, called during a search (1 stops it, 2 is `ponderhit`); and
 * for a module with threads, the shared `memory`, and `spawn`, which starts a thread.
 */
async function connect(source, host = {}) {
  const encoder = new TextEncoder();
  const module = await compiled(source);
  const { exports, memory, read, guarded } = await instance(module, host);
  const write = (text) => {
    const bytes = encoder.encode(text);
    // `memory.buffer` is read after the call, as growing the memory replaces it.
    const at = exports.mola_buffer(bytes.length);
    new Uint8Array(memory.buffer, at >>> 0, bytes.length).set(bytes);
  };
  exports.mola_start();
  return {
    /** Answers a request about rules, games or images. */
    ask(request) {
      const text = JSON.stringify(request, checked);
      const answer = guarded(() => {
        write(text);
        const length = exports.mola_answer();
        return JSON.parse(read(exports.mola_buffer(length), length));
      });
      if (answer?.error !== undefined) throw new Error(answer.error);
      return answer;
    },
    /** Passes a line of UCI to the engine: 0 after `quit`, 2 while a best move is held back, else 1. */
    line(text) {
      return guarded(() => {
        write(text);
        return exports.mola_line();
      });
    },
    /** Frees the memory of a thread that has ended. */
    free: ({ number }) => exports.mola_thread_end(number),
  };
}

/** Half of a surrogate pair. */
const HALF = /\p{Surrogate}/u;

/** A value to be sent as JSON, in which the module reads only whole surrogate pairs. */
function checked(name, value) {
  const half = HALF.exec(name) ?? (typeof value === "string" ? HALF.exec(value) : null);
  if (!half) return value;
  throw new Error(`not Unicode: \\u${half[0].charCodeAt(0).toString(16)} is half of a surrogate pair`);
}

/** Runs a thread that the module has spawned in this worker; returns when it has ended. */
async function runThread(module, memory, { number, at, size }) {
  const { exports, guarded } = await instance(module, { memory });
  // Thread-local storage is at the beginning, and the stack grows down from the end.
  exports.__stack_pointer.value = at + size;
  exports.__wasm_init_tls(at);
  guarded(() => exports.mola_thread(number));
}

/** Instantiates the module with its imports. */
async function instance(module, host) {
  const decoder = new TextDecoder();
  let reason = "";
  let exports = null;
  let { memory } = host;
  // Addresses and lengths come as signed numbers: those from 2 GiB on are negative. The bytes are copied,
  // since a TextDecoder refuses shared memory.
  const read = (at, length) => decoder.decode(new Uint8Array(memory.buffer, at >>> 0, length >>> 0).slice());
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

/** Shared memory for a module that imports it, as one with threads does. */
function memoryFor(module) {
  const isShared = WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
  return isShared ? new WebAssembly.Memory({ ...SHARED_PAGES, shared: true }) : undefined;
}

/** Compiles a source. Not by `compileStreaming`, which needs the right MIME type from the server. */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
