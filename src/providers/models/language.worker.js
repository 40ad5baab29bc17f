// Tells the language of texts in a thread of its own: while the tables of the detector are loaded, which takes up to a second, a thread does nothing
// else. Plain JavaScript, because a worker thread starts this very file both from the sources (tests) and from dist. A message is
// `{ text, languages }`; the answer is the most likely of these languages with its accuracy, or undefined.
import { detectAll } from 'tinyld';
import { serve } from '../../core/workers/serve.js';

serve(() => ({
  call: ({ text, languages }) => Promise.resolve(detectAll(text, { only: languages })[0]),
}));
