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

/** Storage format of a signature: base64. */
export function toSignatureText(signature: Int32Array): string {
  return Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString('base64');
}

export function fromSignatureText(text: string): Int32Array {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  return new Int32Array(bytes.buffer, 0, bytes.length >>> 2);
}
