import { afterEach, beforeEach } from '@jest/globals';
import { SpeechRegistry } from '../../src/providers/speech/index.js';
import type { TestApp } from './create-test-app.js';
import { ScriptedSynthesizer, ScriptedTranscriber } from './scripted-speech.js';

/** The scripted engines of a test. */
export interface ScriptedSpeech {
  synthesizer: ScriptedSynthesizer;
  transcriber: ScriptedTranscriber;
}

/** Puts fresh scripted engines into an application before each test; behind it they must have been asked as was written. */
export function scriptedSpeech(app: () => TestApp): ScriptedSpeech {
  const speech: ScriptedSpeech = { synthesizer: new ScriptedSynthesizer(), transcriber: new ScriptedTranscriber() };
  beforeEach(() => {
    speech.synthesizer = new ScriptedSynthesizer();
    speech.transcriber = new ScriptedTranscriber();
    const registry = app().app.get(SpeechRegistry);
    registry.synthesizer = () => speech.synthesizer;
    registry.transcriber = () => speech.transcriber;
  });
  afterEach(() => {
    speech.synthesizer.assertDone();
    speech.transcriber.assertDone();
  });
  return speech;
}
