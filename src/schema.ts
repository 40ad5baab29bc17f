import type { Entities } from './core/database/index.js';
import { JournalFloor, JournalRow } from './core/journal/index.js';
import { IdempotencyKeyRow } from './core/idempotency/index.js';
import { InstallationKeyRow, VaultCheckRow } from './core/vault/index.js';
import { ACCESS_ENTITIES } from './modules/access/entities/index.js';
import { AGENT_ENTITIES } from './modules/agents/entities/index.js';
import { LOG_ENTITIES } from './modules/logs/entities/index.js';
import { MEDIA_ENTITIES } from './modules/media/entities/index.js';
import { MEMORY_ENTITIES } from './modules/memory/entities/index.js';
import { MESSAGING_ENTITIES } from './modules/messaging/entities/index.js';
import { PLUGIN_ENTITIES } from './modules/plugins/entities/index.js';
import { SESSION_ENTITIES } from './modules/sessions/entities/index.js';
import { TURN_ENTITIES } from './modules/turns/entities/index.js';

/** Every table of the program, for the connections and for the drift check; part of the composition root. */
export const ENTITIES: Entities = [
  JournalRow,
  JournalFloor,
  VaultCheckRow,
  InstallationKeyRow,
  IdempotencyKeyRow,
  ...ACCESS_ENTITIES,
  ...AGENT_ENTITIES,
  ...MESSAGING_ENTITIES,
  ...MEMORY_ENTITIES,
  ...SESSION_ENTITIES,
  ...TURN_ENTITIES,
  ...PLUGIN_ENTITIES,
  ...MEDIA_ENTITIES,
  ...LOG_ENTITIES,
];
