export { DEFAULT_SERVER_ID, idForAgent, idFromText, isUuid, mayBeNameDerived, newId } from './ids.js';
export { InstallationIds } from './installation-ids.js';
