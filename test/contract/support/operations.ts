import { DEFAULT_SERVER_ID, newId } from '../../../src/core/ids/index.js';
import { ADA, BOB } from '../../support/create-test-app.js';
import { USER } from './contract-app.js';
import { picture, recording, type GoodRequest, type OperationFixtures, type Row } from './every-operation.js';

const CHARACTER = (): object => ({ characterJson: { name: `Agent ${newId()}`, bio: 'New.' } });
const CHANNEL = { name: 'Tea', serverId: DEFAULT_SERVER_ID };
const EXTERNAL = (): object => ({ channel_id: newId(), message_server_id: DEFAULT_SERVER_ID, author_id: USER, content: 'From outside.' });

const ASKED = { platform: 'slack', userId: 'U1', agentId: ADA.id, content: 'When?' };

const body = (value: unknown, status?: number) => (): GoodRequest => ({ body: value, status });
const query = (value: string) => (): GoodRequest => ({ query: value });
const inChannel =
  (value?: unknown) =>
  async (world: OperationFixtures): Promise<GoodRequest> => ({ params: { channelId: await world.channel() }, body: value });
const inServer =
  (value?: unknown) =>
  async (world: OperationFixtures): Promise<GoodRequest> => ({ params: { messageServerId: await world.server() }, body: value });
const onMessage =
  (value?: unknown) =>
  async (world: OperationFixtures): Promise<GoodRequest> => ({ params: await world.message(), body: value });
const onSession =
  (value?: unknown) =>
  async (world: OperationFixtures): Promise<GoodRequest> => ({ params: { sessionId: await world.session() }, body: value });
const onAgent =
  (value?: unknown) =>
  async (world: OperationFixtures): Promise<GoodRequest> => ({ params: { agentId: await world.agent() }, body: value });
const onMemory =
  (value?: unknown) =>
  (world: OperationFixtures): GoodRequest => ({ params: { memoryId: world.memory() }, body: value });
const onRoom =
  (value?: unknown) =>
  async (world: OperationFixtures): Promise<GoodRequest> => ({ params: { roomId: await world.room() }, body: value });
const served = async (world: OperationFixtures): Promise<GoodRequest> => ({ params: await world.servedAgent() });
const present = async (world: OperationFixtures): Promise<GoodRequest> => ({ params: await world.presentAgent() });
const submitted = async ({ ids }: OperationFixtures): Promise<GoodRequest> => ({
  body: { channel_id: ids['channelId'], author_id: ADA.id, content: 'Hi.' },
});

/** The operations that clients of the original know, each with a request that is right. */
export const ROWS: readonly Row[] = [
  [1, 'GET /api/server/ping'],
  [2, 'GET /api/server/hello'],
  [3, 'GET /api/server/status'],
  [4, 'GET /api/server/health'],
  [5, 'POST /api/server/stop'],
  [6, 'GET /api/server/debug/servers'],
  [7, 'GET /api/server/servers'],
  [8, 'GET /api/server/logs', query('?level=error&limit=5')],
  [9, 'POST /api/server/logs', body({ logs: [{ level: 'info', message: 'a line' }] })],
  [10, 'DELETE /api/server/logs'],
  [11, 'GET /api/system/env/local'],
  [12, 'POST /api/system/env/local', body({ content: { LOG_LEVEL: 'debug' } })],
  [13, 'GET /api/system/environment/local'],
  [14, 'POST /api/system/environment/local', body({ content: { LOG_LEVEL: 'debug' } })],
  [15, 'GET /api/system/version'],
  [16, 'GET /api/system/config'],
  [17, 'GET /healthz'],
  [18, 'GET /health'],
  [18, 'GET /livez'],
  [18, 'GET /readyz'],
  [18, 'GET /startupz'],
  [19, 'GET /api/agents'],
  [20, 'POST /api/agents', () => ({ body: CHARACTER() })],
  [21, 'GET /api/agents/{agentId}'],
  [22, 'PATCH /api/agents/{agentId}', onAgent({ bio: 'Changed.' })],
  [23, 'DELETE /api/agents/{agentId}', onAgent()],
  [24, 'POST /api/agents/{agentId}/start', onAgent()],
  [
    25,
    'POST /api/agents/{agentId}/stop',
    async (world) => {
      const agentId = await world.agent();
      await world.data('POST', `/api/agents/${agentId}/start`);
      return { params: { agentId } };
    },
  ],
  [26, 'GET /api/agents/{agentId}/panels'],
  [27, 'GET /api/agents/{agentId}/logs', query('?limit=5')],
  [28, 'DELETE /api/agents/{agentId}/logs/{logId}', async (world) => ({ params: { logId: await world.log() } })],
  [29, 'GET /api/agents/{agentId}/runs', query('?status=all&limit=5')],
  [30, 'GET /api/agents/{agentId}/runs/{runId}'],
  [31, 'GET /api/agents/worlds'],
  [32, 'POST /api/agents/{agentId}/worlds', body({ name: 'Tea house', sourceType: 'x', sourceId: '1', metadata: {} })],
  [33, 'PATCH /api/agents/{agentId}/worlds/{worldId}', body({ name: 'Coffee house' })],
  [34, 'POST /api/agents/{agentId}/rooms', body({ name: 'Kitchen' })],
  [35, 'GET /api/agents/{agentId}/rooms'],
  [36, 'GET /api/agents/{agentId}/rooms/{roomId}'],
  [37, 'PATCH /api/agents/{agentId}/rooms/{roomId}', onRoom({ name: 'Hall' })],
  [38, 'DELETE /api/agents/{agentId}/rooms/{roomId}', onRoom()],
  [39, 'GET /api/agents/{agentId}/rooms/{roomId}/memories'],
  [40, 'GET /api/agents/{agentId}/memories'],
  [40, 'GET /api/agents/{agentId}/memories/{memoryId}'],
  [40, 'PATCH /api/agents/{agentId}/memories/{memoryId}', onMemory({ content: 'Tea.' })],
  [40, 'DELETE /api/agents/{agentId}/memories/{memoryId}', onMemory()],
  [40, 'DELETE /api/agents/{agentId}/memories/all/{roomId}', onRoom()],
  [40, 'DELETE /api/agents/{agentId}/memories', onAgent()],
  [41, 'GET /api/memory/{agentId}/memories'],
  [42, 'PATCH /api/memory/{agentId}/memories/{memoryId}', onMemory({ content: { text: 'Tea.' }, metadata: {} })],
  [43, 'DELETE /api/memory/{agentId}/memories', onAgent()],
  [44, 'DELETE /api/memory/{agentId}/memories/all/{roomId}', onRoom()],
  [45, 'DELETE /api/memory/{agentId}/memories/{memoryId}', onMemory()],
  [45, 'POST /api/memory/{agentId}/recall', body({ text: 'Tea?' })],
  [46, 'GET /api/memory/{agentId}/rooms'],
  [47, 'POST /api/memory/{agentId}/rooms', body({ name: 'Kitchen' })],
  [48, 'GET /api/memory/{agentId}/rooms/{roomId}'],
  [49, 'GET /api/memory/{agentId}/rooms/{roomId}/memories'],
  [50, 'POST /api/memory/groups/{messageServerId}', body({ name: 'Club', worldId: newId() })],
  [51, 'DELETE /api/memory/groups/{messageServerId}', inServer()],
  [52, 'DELETE /api/memory/groups/{messageServerId}/memories'],
  [53, 'POST /api/messaging/submit', submitted],
  [54, 'POST /api/messaging/action', submitted],
  [55, 'PATCH /api/messaging/action/{messageId}', onMessage({ content: 'Changed.' })],
  [
    56,
    'POST /api/messaging/complete',
    async (world) => ({ body: { messageId: (await world.message())['messageId'], status: 'completed' } }),
  ],
  [57, 'POST /api/messaging/ingest-external', async (world) => ({ body: { ...EXTERNAL(), channel_id: await world.channel() } })],
  [58, 'GET /api/messaging/message-server/current'],
  [59, 'GET /api/messaging/message-servers'],
  [60, 'POST /api/messaging/message-servers', body({ name: 'Club', sourceType: 'discord' })],
  [61, 'DELETE /api/messaging/message-servers/{messageServerId}', inServer()],
  [
    62,
    'POST /api/messaging/message-servers/{messageServerId}/sync-channels',
    body({ channels: [{ name: 'tea', type: 'GROUP', sourceId: '1' }] }),
  ],
  [63, 'GET /api/messaging/message-servers/{messageServerId}/channels'],
  [64, 'GET /api/messaging/message-servers/{messageServerId}/agents'],
  [65, 'POST /api/messaging/message-servers/{messageServerId}/agents', inServer({ agentId: BOB.id })],
  [66, 'DELETE /api/messaging/message-servers/{messageServerId}/agents/{agentId}', served],
  [67, 'GET /api/messaging/agents/{agentId}/message-servers'],
  [68, 'GET /api/messaging/central-servers'],
  [69, 'GET /api/messaging/central-servers/{messageServerId}/channels'],
  [70, 'POST /api/messaging/servers', body({ name: 'Club', sourceType: 'discord' })],
  [71, 'GET /api/messaging/servers/{messageServerId}/channels'],
  [72, 'GET /api/messaging/servers/{messageServerId}/agents'],
  [72, 'POST /api/messaging/servers/{messageServerId}/agents', inServer({ agentId: BOB.id })],
  [73, 'DELETE /api/messaging/servers/{messageServerId}/agents/{agentId}', served],
  [74, 'POST /api/messaging/channels', body(CHANNEL)],
  [75, 'GET /api/messaging/dm-channel', query(`?currentUserId=${USER}&targetUserId=${ADA.id}`)],
  [76, 'GET /api/messaging/channels/{channelId}/details'],
  [77, 'GET /api/messaging/channels/{channelId}'],
  [78, 'PATCH /api/messaging/channels/{channelId}', inChannel({ name: 'Green tea', metadata: { colour: 'green' } })],
  [79, 'DELETE /api/messaging/channels/{channelId}', inChannel()],
  [80, 'GET /api/messaging/channels/{channelId}/participants'],
  [81, 'GET /api/messaging/channels/{channelId}/agents'],
  [82, 'POST /api/messaging/channels/{channelId}/agents', inChannel({ agentId: BOB.id })],
  [83, 'DELETE /api/messaging/channels/{channelId}/agents/{agentId}', present],
  [84, 'POST /api/messaging/channels/{channelId}/messages', inChannel({ author_id: USER, content: 'Hello.' })],
  [85, 'GET /api/messaging/channels/{channelId}/messages', query('?limit=5')],
  [86, 'DELETE /api/messaging/channels/{channelId}/messages', inChannel()],
  [87, 'DELETE /api/messaging/channels/{channelId}/messages/{messageId}', onMessage()],
  [88, 'POST /api/messaging/channels/{channelId}/upload-media', () => ({ body: picture() })],
  [89, 'POST /api/messaging/channels/{channelId}/generate-title', body({ agentId: ADA.id })],
  [90, 'GET /api/messaging/messages/{messageId}'],
  [91, 'PATCH /api/messaging/messages/{messageId}', onMessage({ content: 'Changed.' })],
  [92, 'POST /api/messaging/messages/search', body({ query: 'hello', limit: 5 })],
  [93, 'POST /api/messaging/central-channels', body(CHANNEL)],
  [94, 'GET /api/messaging/central-channels/{channelId}'],
  [95, 'PATCH /api/messaging/central-channels/{channelId}', inChannel({ name: 'Green tea' })],
  [95, 'DELETE /api/messaging/central-channels/{channelId}', inChannel()],
  [96, 'GET /api/messaging/central-channels/{channelId}/details'],
  [97, 'GET /api/messaging/central-channels/{channelId}/participants'],
  [98, 'GET /api/messaging/central-channels/{channelId}/agents'],
  [98, 'POST /api/messaging/central-channels/{channelId}/agents', inChannel({ agentId: BOB.id })],
  [99, 'DELETE /api/messaging/central-channels/{channelId}/agents/{agentId}', present],
  [100, 'GET /api/messaging/central-channels/{channelId}/messages'],
  [100, 'POST /api/messaging/central-channels/{channelId}/messages', inChannel({ author_id: USER, content: 'Hello.' })],
  [100, 'DELETE /api/messaging/central-channels/{channelId}/messages', inChannel()],
  [101, 'DELETE /api/messaging/central-channels/{channelId}/messages/{messageId}', onMessage()],
  [102, 'DELETE /api/messaging/central-channels/{channelId}/messages/all', inChannel()],
  [103, 'POST /api/messaging/central-channels/{channelId}/generate-title', body({ agentId: ADA.id })],
  [104, 'POST /api/messaging/group-channels', body({ name: 'Group', participantCentralUserIds: [USER], server_id: DEFAULT_SERVER_ID })],
  [105, 'POST /api/messaging/external-messages', () => ({ body: { ...ASKED, messageId: newId(), channelId: newId() } })],
  [106, 'GET /api/messaging/sessions/health'],
  [
    107,
    'POST /api/messaging/sessions',
    body({ agentId: ADA.id, userId: USER, metadata: { platform: 'web' }, timeoutConfig: { timeoutMinutes: 10 } }),
  ],
  [108, 'GET /api/messaging/sessions'],
  [109, 'GET /api/messaging/sessions/{sessionId}'],
  [110, 'DELETE /api/messaging/sessions/{sessionId}', onSession()],
  [111, 'POST /api/messaging/sessions/{sessionId}/messages', onSession({ content: 'Hello.', transport: 'http' })],
  [112, 'GET /api/messaging/sessions/{sessionId}/messages'],
  [113, 'POST /api/messaging/sessions/{sessionId}/renew', onSession()],
  [114, 'PATCH /api/messaging/sessions/{sessionId}/timeout', onSession({ timeoutMinutes: 20 })],
  [115, 'POST /api/messaging/sessions/{sessionId}/heartbeat', onSession()],
  [116, 'POST /api/messaging/jobs', body({ userId: USER, content: 'What is the time?' })],
  [117, 'GET /api/messaging/jobs'],
  [118, 'GET /api/messaging/jobs/health'],
  [119, 'GET /api/messaging/jobs/{jobId}'],
  [120, 'POST /api/audio/{agentId}/transcriptions', () => ({ body: recording() })],
  [121, 'POST /api/audio/{agentId}/audio-messages/synthesize', body({ text: 'Good morning.' })],
  [122, 'POST /api/audio/{agentId}/speech/generate', body({ text: 'Good morning.' })],
  [123, 'POST /api/audio/{agentId}/speech/conversation', body({ text: 'Hello?' })],
  [124, 'POST /api/audio/{agentId}/audio-messages', () => ({ body: recording() })],
  [125, 'POST /api/audio/{agentId}/process-audio', () => ({ body: recording() })],
  [126, 'POST /api/audio/{agentId}/speech', () => ({ body: recording() })],
  [127, 'POST /api/media/agents/{agentId}/upload-media', () => ({ body: picture() })],
  [128, 'POST /api/media/channels/{channelId}/upload-media', () => ({ body: picture() })],
  [129, 'POST /api/media/{agentId}/upload-media', () => ({ body: picture() })],
  [130, 'GET /media/uploads/agents/{agentId}/{filename}', ({ ids }) => ({ params: { filename: ids['agentFile']! } })],
  [131, 'GET /media/uploads/channels/{channelId}/{filename}', ({ ids }) => ({ params: { filename: ids['channelFile']! } })],
  // Nothing was generated here: that a file is unknown is the good answer.
  [132, 'GET /media/generated/{agentId}/{filename}', () => ({ params: { filename: 'a.png' }, status: 404 })],
  [133, 'GET /api/tee/status'],
  [133, 'GET /api/tee/agents'],
  // Without hardware there is no quote.
  [133, 'POST /api/tee/attestation', body({ reportData: 'ab' }, 501)],
  [134, 'GET /websocket'],
];

/** The operations that Parley has beside them. */
export const OURS = [
  / \/v1\//,
  / \/api\/agents\/\{agent\}\/chat/,
  /^GET \/$/,
  /^GET \/console-assets\//,
  /^GET \/(docs(\/|$)|llms\.txt)/,
  /^GET \/api\/(openapi\.json|docs)/,
  / \/api\/keys/,
  / \/api\/audit$/,
  /^GET \/api\/media\/types$/,
  /^GET \/api\/server\/(problems|statistics)$/,
  / \/api\/server\/backups/,
  / \/api\/server\/model/,
  /^GET \/api\/agents\/\{agentId\}\/actions$/,
  /\/messages\/\{messageId\}\/cancel$/,
  /\/messages\/stream$/,
  /^GET \/api\/runs$/,
  / \/api\/plugins/,
  / \/api\/users\//,
  / \/api\/agents\/\{agentId\}\/knowledge/,
  /\/events$/,
  /^GET \/api\/audio\/\{agentId\}\/voices$/,
  / \/api\/memory\/\{agentId\}\/(memories|rooms)\/\{\w+\}$/,
  / \/api\/(memory|agents)\/\{agentId\}\/memories\/\{memoryId\}\/(history|undo)$/,
  /^GET \/api\/(memory|agents)\/\{agentId\}\/rooms\/\{roomId\}\/summary$/,
  /^GET \/api\/memory\/\{agentId\}\/users\/\{userId\}\/profile$/,
  / \/api\/messaging\/(central-servers|servers)/,
  /^DELETE \/api\/messaging\/channels\/\{channelId\}\/messages\/all$/,
];
