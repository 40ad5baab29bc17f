// The built server, with a key, whose agents think, speak and hear with services that a suite scripts.
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.mjs';
import { startSpeechServer } from '../../support/speech-server.mjs';
import { startServer } from './server.mjs';

export const KEY = 'the-administrator-of-the-suites';
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function startScriptedServer() {
  const [model, speech] = await Promise.all([startModelServer(), startSpeechServer()]);
  const server = await startServer({
    plugins: [join(import.meta.dirname, 'plugins', 'teas')],
    env: {
      API_KEY: KEY,
      MODEL_PROVIDER: 'openai',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'scripted',
      MODEL_SUPPORTS_IMAGES: 'true',
      // A failure of the model shall reach the client, which repeats its request.
      MODEL_RETRIES: '0',
      MEMORY_EXTRACTION: 'none',
      CONVERSATION_SUMMARY: 'none',
      OPENAI_AUDIO_BASE_URL: speech.baseUrl,
    },
  });
  return {
    url: server.url,
    model,
    speech,
    /** What the model was asked last. */
    asked: () => model.requests.at(-1).body,
    /** What the model was told last, behind the instructions. */
    prompt: () => model.requests.at(-1).body.messages.filter(({ role }) => role !== 'system'),
    /** The next request to the model, as soon as it is there. */
    nextAsked: () => model.received(model.requests.length + 1),
    /** What the server has of a reply, when it has ended. @param path of its native stream, which `Content-Location` names */
    async whole(path) {
      const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${KEY}` } });
      const [, done] = /^event: done\ndata: (.*)$/m.exec(await response.text());
      return JSON.parse(done).text;
    },
    async stop() {
      await server.stop();
      await Promise.all([model.close(), speech.close()]);
    },
  };
}
