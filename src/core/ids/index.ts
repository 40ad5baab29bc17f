export { DEFAULT_SERVER_ID, idForAgent, idFromText, isUuid, newId } from './ids.js';
