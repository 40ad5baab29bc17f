export { AudioEncoder, MEDIA_TYPES, type AudioFormat } from './audio-encoder.js';
export { secondsOf } from './pcm.js';
export { SentenceSplitter } from './sentence-splitter.js';
export { SpeechRegistry, type EngineInUse, type SpeechChoice } from './speech-registry.js';
export { descriptor, SpeechModule } from './speech.module.js';
export { SpeechSynthesizer, type SpeechRequest, type SpeechChunk, type Voice } from './speech-synthesizer.js';
export { Transcriber, type Transcript, type TranscriptionRequest } from './transcriber.js';
export { wavFile } from './wav.js';
