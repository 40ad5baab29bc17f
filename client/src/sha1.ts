// SHA-1 (FIPS 180-4). WebCrypto has it only asynchronously, and in browsers not on pages over plain HTTP.

/** The hash of a text's UTF-8 bytes, 20 bytes. For ids, not for secrets. */
export function sha1(text: string): Uint8Array {
  const message = new TextEncoder().encode(text);
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  blocks.set(message);
  blocks[message.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(message.length) * 8n);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Uint32Array(80);
  for (let offset = 0; offset < blocks.length; offset += 64) {
    for (let t = 0; t < 80; t += 1) {
      words[t] = t < 16 ? view.getUint32(offset + t * 4) : rotate(word(t - 3) ^ word(t - 8) ^ word(t - 14) ^ word(t - 16), 1);
    }
    let [a, b, c, d, e] = state as [number, number, number, number, number];
    for (let t = 0; t < 80; t += 1) {
      const [f, k] = round(t, b, c, d);
      const next = (rotate(a, 5) + f + e + k + word(t)) >>> 0;
      [e, d, c, b, a] = [d, c, rotate(b, 30), a, next];
    }
    for (const [index, value] of [a, b, c, d, e].entries()) state[index] = ((state[index] ?? 0) + value) >>> 0;
  }
  const digest = new DataView(new ArrayBuffer(20));
  for (const [index, value] of state.entries()) digest.setUint32(index * 4, value);
  return new Uint8Array(digest.buffer);

  function word(t: number): number {
    return words[t] ?? 0;
  }
}

function round(t: number, b: number, c: number, d: number): readonly [f: number, k: number] {
  if (t < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (t < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (t < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}

function rotate(value: number, bits: number): number {
  return ((value << bits) | (value >>> (32 - bits))) >>> 0;
}
