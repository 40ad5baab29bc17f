export { descriptor } from './diagnostics.module.js';
export { FaultRecorder } from './fault-recorder.js';
