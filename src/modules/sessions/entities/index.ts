import { SessionRow } from './session.entity.js';

export { SessionRow };
export const SESSION_ENTITIES = [SessionRow];
