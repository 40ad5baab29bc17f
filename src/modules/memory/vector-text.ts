/** How a vector is stored: base64 of its elements as little-endian 32-bit floats, which every engine keeps as text. */
export function toVectorText(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

export function fromVectorText(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  // Copied, because a Buffer may begin anywhere and a Float32Array only at a multiple of four.
  const aligned = new Uint8Array(bytes.byteLength - (bytes.byteLength % 4));
  aligned.set(bytes.subarray(0, aligned.length));
  return new Float32Array(aligned.buffer);
}
