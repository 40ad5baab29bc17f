/** Storage format of a vector: base64 of its elements as little-endian 32-bit floats, a text column on both engines. */
export function toVectorText(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

export function fromVectorText(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  // Copied, because a Float32Array must be aligned to four bytes and a Buffer may not be.
  const aligned = new Uint8Array(bytes.byteLength - (bytes.byteLength % 4));
  aligned.set(bytes.subarray(0, aligned.length));
  return new Float32Array(aligned.buffer);
}
