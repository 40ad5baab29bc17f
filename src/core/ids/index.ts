export { DEFAULT_SERVER_ID, idForAgent, idFromText, isUuid, mayBeNameDerived, newId, userIdOf } from './ids.js';
export { InstallationIds } from './installation-ids.js';
