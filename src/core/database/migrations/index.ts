import { FirstSchema1763000000000 } from './1763000000000-first-schema.js';
import { PluginValues1763700000000 } from './1763700000000-plugin-values.js';
import { WebhookDeliveries1763900000000 } from './1763900000000-webhook-deliveries.js';
import { AgentsAndRooms1764000000000 } from './1764000000000-agents-and-rooms.js';
import { MessagingSurface1764100000000 } from './1764100000000-messaging-surface.js';
import { Media1764200000000 } from './1764200000000-media.js';
import { ApiKeys1764250000000 } from './1764250000000-api-keys.js';
import { Runs1764300000000 } from './1764300000000-runs.js';
import { RoomsInOrder1764310000000 } from './1764310000000-rooms-in-order.js';
import { IdempotencyKeys1764400000000 } from './1764400000000-idempotency-keys.js';
import { AgentLogs1764410000000 } from './1764410000000-agent-logs.js';
import { Jobs1764455000000 } from './1764455000000-jobs.js';
import { ServersInOrder1764500000000 } from './1764500000000-servers-in-order.js';
import { InstallationKey1764500100000 } from './1764500100000-installation-key.js';
import { RoomsByAgent1764500200000 } from './1764500200000-rooms-by-agent.js';
import { SessionsByTheThousand1764600000000 } from './1764600000000-sessions-by-the-thousand.js';
import { Vouching1764640000000 } from './1764640000000-vouching.js';
import { MemoryWords1764700000000 } from './1764700000000-memory-words.js';

/** In the order in which they run. Classes, not file globs: sources and build differ in their endings. */
export const MIGRATIONS = [
  FirstSchema1763000000000,
  PluginValues1763700000000,
  WebhookDeliveries1763900000000,
  AgentsAndRooms1764000000000,
  MessagingSurface1764100000000,
  Media1764200000000,
  ApiKeys1764250000000,
  Runs1764300000000,
  RoomsInOrder1764310000000,
  IdempotencyKeys1764400000000,
  AgentLogs1764410000000,
  Jobs1764455000000,
  ServersInOrder1764500000000,
  InstallationKey1764500100000,
  RoomsByAgent1764500200000,
  SessionsByTheThousand1764600000000,
  Vouching1764640000000,
  MemoryWords1764700000000,
];
