// Runs the sentence encoder in a thread of its own: WebAssembly that would otherwise hold up every request.
// Plain JavaScript, because a worker thread starts this very file both from the sources (tests) and from dist.
// A message is an array of texts, none of them blank; the answer has their vectors in one Float32Array.
import { lowerPriority, serve } from '../../core/workers/serve.js';
import { loadSentenceEncoder } from './sentence-network.js';

// The work for one text takes longer than that for a whole request.
lowerPriority();
const encode = await loadSentenceEncoder();

serve(() => ({
  call(texts, transfer) {
    const vectors = encode(texts);
    transfer.push(vectors.buffer);
    return vectors;
  },
}));
