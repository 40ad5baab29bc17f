export { DEFAULT_SERVER_ID, idForAgent, idFromText, isUuid, mayFollowFromName, newId } from './ids.js';
export { InstallationIds } from './installation-ids.js';
