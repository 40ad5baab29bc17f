// PocketSphinx as it is published was compiled in 2018, with the instructions that stop the program when a number does
// not fit an integer; it decodes correctly with those of today, which take the nearest integer instead.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// The model and a recording of any length fit well into this; the published limit is 96 MiB.
const MOST_PAGES = 4096;
const FEATURES = { sat_float_to_int: true };

/**
 * The program with each conversion replaced, from `folder` if it is there already. That takes a second or two once; a
 * folder that cannot be written costs them at every start.
 */
export async function saturatingWasm(file, folder) {
  const published = readFileSync(file);
  const cached = join(folder, `pocketsphinx-${createHash('sha256').update(published).digest('hex').slice(0, 16)}.wasm`);
  try {
    return readFileSync(cached);
  } catch {
    // Not there yet.
  }
  const wasm = await replaceConversions(published);
  try {
    mkdirSync(folder, { recursive: true });
    const draft = `${cached}.${randomUUID()}`;
    writeFileSync(draft, wasm);
    renameSync(draft, cached);
  } catch {
    // The next start has to do it again.
  }
  return wasm;
}

async function replaceConversions(published) {
  const { default: load } = await import('wabt');
  const wabt = await load();
  const module = wabt.readWasm(published, { readDebugNames: false, ...FEATURES });
  const text = module
    .toText({ foldExprs: false, inlineExport: false })
    .replace(/\b(i32|i64)\.trunc_(f32|f64)_(s|u)\b/g, '$1.trunc_sat_$2_$3')
    .replace(/\(memory \(;0;\) (\d+) \d+\)/, `(memory (;0;) $1 ${MOST_PAGES})`);
  module.destroy();
  const parsed = wabt.parseWat('pocketsphinx.wat', text, FEATURES);
  try {
    return Buffer.from(parsed.toBinary({}).buffer);
  } finally {
    parsed.destroy();
  }
}
