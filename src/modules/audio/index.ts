export { AudioModule, descriptor } from './audio.module.js';
export { RecordingMemory } from './recording-memory.js';
export { VoiceCalls } from './voice-calls.js';
export type { VoiceCall } from './voice-call.js';
export { readVoiceStart } from './voice-start.js';
