import { SessionRow } from './session.entity.js';

export const SESSION_ENTITIES = [SessionRow];
