import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The functions of chardetng, the detector of Firefox, as `wasm-bindgen` exports them. */
interface Detector {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __wbindgen_malloc: (size: number) => number;
  readonly __wbindgen_free: (address: number, size: number) => void;
  readonly __wbindgen_add_to_stack_pointer: (by: number) => number;
  readonly __wbg_encodingdetector_free: (detector: number) => void;
  readonly encodingdetector_new: () => number;
  readonly encodingdetector_feed: (detector: number, address: number, size: number, isLast: number) => number;
  readonly encodingdetector_guess: (result: number, detector: number, domain: number, domainSize: number, allowsUtf8: number) => void;
}

/** Types of Node.js lack it. */
interface Wasm {
  readonly WebAssembly: {
    instantiate(source: Uint8Array, imports: object): Promise<{ readonly instance: { readonly exports: Detector } }>;
  };
}

const NO = 0;
const YES = 1;
/** Two numbers of 32 bits: where a text is, and its length. */
const RESULT_BYTES = 16;

let loading: Promise<Detector> | undefined;

/** The most likely charset of a text that is not in UTF-8. @param sample a part of the text with characters that are not ASCII */
export async function guessCharset(sample: Uint8Array): Promise<string> {
  const wasm = await (loading ??= load());
  const detector = wasm.encodingdetector_new();
  try {
    const address = wasm.__wbindgen_malloc(sample.length);
    new Uint8Array(wasm.memory.buffer).set(sample, address);
    // It frees the sample.
    wasm.encodingdetector_feed(detector, address, sample.length, YES);
    const result = wasm.__wbindgen_add_to_stack_pointer(-RESULT_BYTES);
    try {
      wasm.encodingdetector_guess(result, detector, 0, 0, NO);
      const [at = 0, length = 0] = new Uint32Array(wasm.memory.buffer, result, 2);
      const name = new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, at, length));
      wasm.__wbindgen_free(at, length);
      return name.toLowerCase();
    } finally {
      wasm.__wbindgen_add_to_stack_pointer(RESULT_BYTES);
    }
  } finally {
    wasm.__wbg_encodingdetector_free(detector);
  }
}

/** Its JavaScript imports the WebAssembly as a module, which Node.js 20 cannot. */
async function load(): Promise<Detector> {
  const path = createRequire(import.meta.url).resolve('chardetng-wasm/dist/chardetng_wasm_bg.wasm');
  const refuse = (): never => {
    throw new Error('the detector of charsets failed');
  };
  const { instance } = await (globalThis as unknown as Wasm).WebAssembly.instantiate(await readFile(path), {
    './chardetng_wasm_bg.js': { __wbindgen_throw: refuse },
  });
  return instance.exports;
}
