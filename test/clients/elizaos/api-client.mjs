// Calls each method of the official client against the built server and looks whether it gets what its types promise.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ElizaClient } from '@elizaos/api-client';
import { startServer } from '../support/server.mjs';

// Variables are changed over HTTP only when the operator allows it by name.
const server = await startServer({ env: { ENV_EDITABLE: 'TEA' } });
const user = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
// As the web interface does: without X-Entity-Id, postMessage has no author.
const headers = { 'X-API-Dialect': 'eliza', 'X-Entity-Id': user };
const client = ElizaClient.create({ baseUrl: server.url, headers });
const friend = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';
const unknown = '99999999-9999-9999-9999-999999999999';
const recording = readFileSync(join(import.meta.dirname, '../../fixtures/audio/speech.wav'));
const outcomes = [];

// What a value must be: the name of a type, 'T?' for an optional one, [x] for a list of x with at least one entry, { … } for an object.
function fault(value, shape, at = 'it') {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${at} is no list: ${JSON.stringify(value)}`;
    if (value.length === 0) return shape[1] === 'maybe' ? undefined : `${at} is empty`;
    return fault(value[0], shape[0], `${at}[0]`);
  }
  if (typeof shape === 'object') {
    if (typeof value !== 'object' || value === null) return `${at} is no object: ${JSON.stringify(value)}`;
    for (const [key, part] of Object.entries(shape)) {
      const wrong = fault(value[key], part, `${at}.${key}`);
      if (wrong) return wrong;
    }
    return undefined;
  }
  if (typeof shape === 'function') return shape(value) ? undefined : `${at} is ${JSON.stringify(value)}`;
  if (shape.endsWith('?')) return value === undefined ? undefined : fault(value, shape.slice(0, -1), at);
  if (shape === 'date') return Number.isNaN(new Date(value).getTime()) ? `${at} is no date: ${value}` : undefined;
  if (shape === 'any') return value === undefined ? `${at} is missing` : undefined;
  return typeof value === shape ? undefined : `${at} is no ${shape}: ${JSON.stringify(value)}`;
}

async function is(name, call, shape) {
  try {
    const value = await call();
    const wrong = fault(value, shape);
    outcomes.push([name, wrong]);
    return value;
  } catch (error) {
    outcomes.push([name, `${error.code ?? ''} ${error.message} ${error.details ?? ''}`]);
    return undefined;
  }
}

async function refuses(name, call, code) {
  try {
    outcomes.push([name, `was answered: ${JSON.stringify(await call())}`]);
  } catch (error) {
    outcomes.push([name, error.code === code ? undefined : `${error.code} ${error.message}`]);
  }
}

const OK = { success: (value) => value === true };
const AGENT = { id: 'string', name: 'string' };
const CHANNEL = { id: 'string', messageServerId: 'string', name: 'string', type: 'string', createdAt: 'date', updatedAt: 'date' };
const MESSAGE = { id: 'string', channelId: 'string', authorId: 'string', content: 'string', createdAt: 'date', updatedAt: 'date' };
const MEMORY = { id: 'string', agentId: 'string', type: 'string', content: 'any', createdAt: 'date' };
const ROOM = { id: 'string', agentId: 'string', name: 'string', createdAt: 'date', updatedAt: 'date' };
const UPLOAD = { url: 'string', type: 'string', filename: 'string', originalName: 'string', size: 'number' };
const RUN = { runId: 'string', status: 'string', startedAt: 'number' };
const JOB = { jobId: 'string', status: 'string', createdAt: 'number', expiresAt: 'number' };

try {
  const { agents, messaging, memory, sessions, server: host, system, runs, jobs, audio, media } = client;
  const listed = await is('agents.listAgents', () => agents.listAgents(), { agents: [{ ...AGENT, status: 'string' }] });
  const ada = listed.agents.find(({ name }) => name === 'Ada').id;
  const bob = listed.agents.find(({ name }) => name === 'Bob').id;

  await is('agents.getAgent', () => agents.getAgent(ada), { ...AGENT, bio: 'any', createdAt: 'date', updatedAt: 'date' });
  const cleo = await is('agents.createAgent', () => agents.createAgent({ characterJson: { name: 'Cleo', bio: 'Cleo is new.' } }), AGENT);
  await is('agents.updateAgent', () => agents.updateAgent(cleo.id, { bio: ['Cleo was changed.'] }), { ...AGENT, bio: ['string'] });
  await is('agents.startAgent', () => agents.startAgent(cleo.id), { status: (value) => value === 'active' });
  await is('agents.stopAgent', () => agents.stopAgent(cleo.id), { status: (value) => value === 'inactive' });
  await is('agents.deleteAgent', () => agents.deleteAgent(cleo.id), OK);
  await refuses('agents.updateAgent of nobody', () => agents.updateAgent(unknown, { name: 'X' }), 'AGENT_NOT_FOUND');
  await is('agents.getAgentPanels', () => agents.getAgentPanels(ada), { panels: [AGENT, 'maybe'] });

  const session = await is(
    'sessions.createSession',
    () => sessions.createSession({ agentId: ada, userId: user, metadata: { platform: 'web' } }),
    {
      sessionId: 'string',
      agentId: 'string',
      userId: 'string',
      createdAt: 'date',
      metadata: 'object',
    },
  );
  await is('sessions.checkHealth', () => sessions.checkHealth(), { status: 'string', activeSessions: 'number', timestamp: 'string' });
  await is('sessions.getSession', () => sessions.getSession(session.sessionId), { sessionId: 'string', lastActivity: 'date' });
  await is('sessions.sendMessage', () => sessions.sendMessage(session.sessionId, { content: 'Which tea wakes me?' }), {
    ...OK,
    userMessage: { id: 'string', content: 'string', authorId: 'string', createdAt: 'date' },
    sessionStatus: { expiresAt: 'date', renewalCount: 'number' },
  });
  await is('sessions.sendMessageSync', () => sessions.sendMessageSync(session.sessionId, { content: 'And which one calms me?' }), {
    ...OK,
    userMessage: { id: 'string' },
    agentResponse: { text: 'string' },
    sessionStatus: { wasRenewed: 'boolean' },
  });
  await is('sessions.getMessages', () => sessions.getMessages(session.sessionId, { limit: 10, before: Date.now() + 60_000 }), {
    messages: [{ id: 'string', content: 'string', authorId: 'string', isAgent: 'boolean', createdAt: 'date' }],
    hasMore: 'boolean',
  });
  await is('sessions.listSessions', () => sessions.listSessions(), { sessions: [{ sessionId: 'string' }], total: 'number' });

  const runList = await is('runs.listRuns', () => runs.listRuns(ada, { limit: 10, status: 'all' }), {
    runs: [RUN],
    total: 'number',
    hasMore: 'boolean',
  });
  await is('runs.getRun', () => runs.getRun(ada, runList.runs[0].runId), {
    summary: RUN,
    events: [{ type: 'string', timestamp: 'number', data: 'object' }],
  });
  const logs = await is('agents.getAgentLogs', () => agents.getAgentLogs(ada, { limit: 10 }), [
    { id: 'string', type: 'string', createdAt: 'any' },
  ]);
  await is('agents.deleteAgentLog', () => agents.deleteAgentLog(ada, logs?.[0]?.id ?? unknown), OK);

  const { messageServerId } = await is('messaging.getCurrentMessageServer', () => messaging.getCurrentMessageServer(), {
    messageServerId: 'string',
  });
  await is('messaging.listMessageServers', () => messaging.listMessageServers(), {
    messageServers: [{ id: 'string', name: 'string', sourceType: 'string' }],
  });
  const place = await is(
    'messaging.createMessageServer',
    () => messaging.createMessageServer({ name: 'Club', sourceType: 'discord', sourceId: 'g1' }),
    {
      id: 'string',
      name: 'string',
      sourceType: 'string',
      createdAt: 'date',
      updatedAt: 'date',
    },
  );
  await is(
    'messaging.syncMessageServerChannels',
    () => messaging.syncMessageServerChannels(place.id, { channels: [{ name: 'tea', type: 'GROUP', sourceId: 'c1' }] }),
    {
      synced: (value) => value === 1,
    },
  );
  await is('messaging.getMessageServerChannels', () => messaging.getMessageServerChannels(place.id), { channels: [CHANNEL] });
  const member = { ...OK, data: { messageServerId: 'string', agentId: 'string', message: 'string' } };
  await is('agents.addAgentToMessageServer', () => agents.addAgentToMessageServer(place.id, bob), member);
  await is('agents.getAgentsForMessageServer', () => agents.getAgentsForMessageServer(place.id), {
    ...OK,
    data: { messageServerId: 'string', agents: ['string'] },
  });
  await is('agents.getMessageServersForAgent', () => agents.getMessageServersForAgent(bob), {
    ...OK,
    data: { agentId: 'string', messageServers: ['string'] },
  });
  await is('agents.removeAgentFromMessageServer', () => agents.removeAgentFromMessageServer(place.id, bob), member);

  const channel = await is(
    'messaging.createChannel',
    () => messaging.createChannel({ name: 'Tea', type: 'GROUP', messageServerId, metadata: { topic: 'tea' } }),
    CHANNEL,
  );
  await is(
    'messaging.createGroupChannel',
    () => messaging.createGroupChannel({ name: 'Group', participantIds: [user, friend], metadata: { messageServerId } }),
    CHANNEL,
  );
  await is('messaging.getOrCreateDmChannel', () => messaging.getOrCreateDmChannel({ participantIds: [user, ada] }), CHANNEL);
  await is('messaging.getChannelDetails', () => messaging.getChannelDetails(channel.id), CHANNEL);
  await is('messaging.addAgentToChannel', () => messaging.addAgentToChannel(channel.id, ada), OK);
  // Declared as { success, data }, against the client's own server: what comes is the channel.
  await is('messaging.addUserToChannel', () => messaging.addUserToChannel(channel.id, user), CHANNEL);
  await is('messaging.addUsersToChannel', () => messaging.addUsersToChannel(channel.id, [friend]), CHANNEL);
  await is('messaging.getChannelParticipants', () => messaging.getChannelParticipants(channel.id), {
    participants: (all) => all.length === 3 && all.every(({ id, channelId, userId, joinedAt }) => id && channelId && userId && joinedAt),
  });
  await is('messaging.removeUserFromChannel', () => messaging.removeUserFromChannel(channel.id, friend), CHANNEL);
  await is('messaging.getChannelParticipants afterwards', () => messaging.getChannelParticipants(channel.id), {
    participants: (all) => all.length === 2,
  });
  await is('messaging.updateChannel', () => messaging.updateChannel(channel.id, { name: 'Green tea' }), {
    ...CHANNEL,
    name: (name) => name === 'Green tea',
  });
  const posted = await is(
    'messaging.postMessage',
    () => messaging.postMessage(channel.id, 'Which tea is green?', { source: 'test' }),
    MESSAGE,
  );
  const submitted = await is(
    'messaging.submitMessage',
    () => messaging.submitMessage({ agentId: ada, channelId: channel.id, content: 'Sencha.' }),
    MESSAGE,
  );
  await is('messaging.completeMessage', () => messaging.completeMessage({ messageId: submitted.id, status: 'completed' }), OK);
  await is(
    'messaging.ingestExternalMessages',
    () =>
      messaging.ingestExternalMessages({
        platform: 'discord',
        channelId: channel.id,
        messages: [{ id: 'm1', authorId: 'u1', content: 'From outside.', timestamp: Date.now() }],
      }),
    { processed: (value) => value === 1 },
  );
  await is(
    'messaging.getChannelMessages',
    () => messaging.getChannelMessages(channel.id, { limit: 10, before: new Date(Date.now() + 60_000) }),
    { messages: [MESSAGE] },
  );
  await is('messaging.getMessage', () => messaging.getMessage(posted.id), MESSAGE);
  await is('messaging.updateMessage', () => messaging.updateMessage(posted.id, 'Which tea is black?'), {
    ...MESSAGE,
    content: (text) => text === 'Which tea is black?',
  });
  await is('messaging.searchMessages', () => messaging.searchMessages({ query: 'black', channelId: channel.id }), { messages: [MESSAGE] });
  await is('messaging.generateChannelTitle', () => messaging.generateChannelTitle(channel.id, ada), { title: 'any' });
  await is('messaging.deleteMessage', () => messaging.deleteMessage(channel.id, submitted.id), OK);
  await is('memory.deleteGroupMemory', () => memory.deleteGroupMemory(channel.id, posted.id), OK);
  await is('messaging.clearChannelHistory', () => messaging.clearChannelHistory(channel.id), { deleted: 'number' });
  await is('memory.clearGroupChat', () => memory.clearGroupChat(channel.id), { success: 'any' });
  await is('messaging.removeAgentFromChannel', () => messaging.removeAgentFromChannel(channel.id, ada), OK);

  await is('memory.createRoom', () => memory.createRoom(ada, { name: 'Kitchen' }), ROOM);
  const { rooms } = await is('memory.listAgentRooms', () => memory.listAgentRooms(ada), { rooms: [ROOM] });
  await is('memory.getRoom', () => memory.getRoom(ada, rooms[0].id), ROOM);
  const memories = (await is('memory.getAgentMemories', () => memory.getAgentMemories(ada, { limit: 10 }), { memories: [MEMORY] }))
    ?.memories;
  const roomId = memories?.[0]?.roomId ?? unknown;
  await is('memory.getRoomMemories', () => memory.getRoomMemories(ada, roomId), { memories: [MEMORY] });
  // Declared as { success, data }; what the client's own server answers is { memories }.
  await is('memory.getAgentInternalMemories', () => memory.getAgentInternalMemories(ada, roomId, false), { memories: [MEMORY] });
  await is('memory.updateMemory', () => memory.updateMemory(ada, memories[0].id, { metadata: { seen: true } }), MEMORY);
  await is(
    'memory.updateAgentInternalMemory',
    () => memory.updateAgentInternalMemory(ada, memories[0].id, { metadata: { seen: 2 } }),
    MEMORY,
  );
  await is('memory.deleteMemory', () => memory.deleteMemory(ada, memories[0].id), OK);
  await is('memory.deleteAgentInternalMemory', () => memory.deleteAgentInternalMemory(ada, memories[1].id), OK);
  await is('memory.clearRoomMemories', () => memory.clearRoomMemories(ada, roomId), { deleted: 'number' });
  await is('memory.deleteAllAgentInternalMemories', () => memory.deleteAllAgentInternalMemories(ada, roomId), OK);
  await is('memory.clearAgentMemories', () => memory.clearAgentMemories(ada), { deleted: 'number' });
  await is(
    'memory.createWorldFromMessageServer',
    () => memory.createWorldFromMessageServer(place.id, { messageServerId: place.id, name: 'Club' }),
    { worldId: 'string' },
  );
  const { worlds } = await is('agents.getWorlds', () => agents.getWorlds(), { worlds: [AGENT] });
  await is('agents.addAgentToWorld', () => agents.addAgentToWorld(bob, worlds[0].id), OK);
  await is('agents.updateAgentWorldSettings', () => agents.updateAgentWorldSettings(bob, worlds[0].id, { colour: 'green' }), {
    worldId: 'string',
    settings: { colour: 'string' },
  });
  await is('memory.clearWorldMemories', () => memory.clearWorldMemories(place.id), { deleted: 'number' });
  await is('memory.deleteWorld', () => memory.deleteWorld(place.id), OK);
  await is('messaging.deleteMessageServer', () => messaging.deleteMessageServer(place.id), OK);

  const file = new File(
    [Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=', 'base64')],
    'dot.png',
    { type: 'image/png' },
  );
  await is('media.uploadAgentMedia', () => media.uploadAgentMedia(ada, { file, filename: 'dot.png' }), UPLOAD);
  await is('media.uploadChannelMedia', () => media.uploadChannelMedia(channel.id, file), UPLOAD);
  await is('messaging.deleteChannel', () => messaging.deleteChannel(channel.id), OK);

  const spoken = await is('audio.generateSpeech', () => audio.generateSpeech(ada, { text: 'Good morning.' }), {
    audio: (value) => value.length > 1000,
    format: 'string',
  });
  // Declared as { audio, format }, but the client does not read a binary answer here.
  await is(
    'audio.synthesizeAudioMessage',
    () => audio.synthesizeAudioMessage(ada, { messageId: unknown }).catch((error) => ({ refused: error.code })),
    'object',
  );
  const wav = new Blob([recording], { type: 'audio/wav' });
  await is('audio.transcribe', () => audio.transcribe(ada, { audio: wav, format: 'wav' }), { text: 'string' });
  await is('audio.speechConversation', () => audio.speechConversation(ada, { audio: wav, format: 'wav' }), 'object');
  await is('audio.processSpeech', () => audio.processSpeech(ada, wav), 'object');
  if (!spoken) outcomes.push(['audio', 'no speech']);

  await is('jobs.create', () => jobs.create({ agentId: ada, userId: user, content: 'Which tea?' }), JOB);
  await is('jobs.list', () => jobs.list({ limit: 5 }), { jobs: [{ ...JOB, prompt: 'string' }], total: 'number', filtered: 'number' });
  await is('jobs.health', () => jobs.health(), {
    healthy: 'boolean',
    totalJobs: 'number',
    statusCounts: { pending: 'number' },
    metrics: { successRate: 'number' },
    maxJobs: 'number',
  });
  const polled = await is(
    'jobs.createAndPoll',
    () => jobs.createAndPoll({ agentId: ada, userId: user, content: 'Which tea?' }, { interval: 100, timeout: 20_000 }),
    {
      ...OK,
      job: { ...JOB, result: { message: { content: 'string' }, processingTimeMs: 'number' } },
    },
  );
  await is('jobs.getJob', () => jobs.getJob(polled.job.jobId), { ...JOB, prompt: 'string' });
  await is('jobs.poll', () => jobs.poll(polled.job.jobId, { interval: 50 }), OK);
  await is(
    'jobs.createAndPollWithBackoff',
    () => jobs.createAndPollWithBackoff({ agentId: ada, userId: user, content: 'Which tea?' }, { initialInterval: 100 }),
    OK,
  );
  await is('jobs.ask', () => jobs.ask(user, 'Which tea?', ada), 'string');

  await is('server.checkHealth', () => host.checkHealth(), { status: 'string', uptime: 'number', timestamp: 'date' });
  await is('server.ping', () => host.ping(), { pong: 'boolean' });
  await is('server.hello', () => host.hello(), { message: 'string' });
  await is('server.getStatus', () => host.getStatus(), {
    agents: { total: 'number' },
    memory: { percentage: 'number' },
    uptime: 'number',
    version: 'string',
  });
  await is('server.getDebugInfo', () => host.getDebugInfo(), {
    runtime: { agents: [AGENT], connections: 'number', memory: 'object' },
    environment: 'object',
  });
  await is('server.submitLogs', () => host.submitLogs([{ level: 'info', message: 'from the client', source: 'test' }]), {
    received: (value) => value === 1,
  });
  await is('system.getGlobalLogs', () => system.getGlobalLogs({ level: 'all' }), {
    logs: [{ level: 'number', time: 'number', msg: 'string' }],
    count: 'number',
    total: 'number',
    level: 'string',
    levels: ['string'],
  });
  await is('server.clearLogs', () => host.clearLogs(), { cleared: 'number' });
  await is('system.deleteGlobalLogs', () => system.deleteGlobalLogs(), { status: 'string', message: 'string' });
  await is('system.updateLocalEnvironment', () => system.updateLocalEnvironment({ content: { TEA: 'green' } }), {
    ...OK,
    message: 'string',
  });
  await is('system.getEnvironment', () => system.getEnvironment(), { TEA: 'string' });

  await is('sessions.deleteSession', () => sessions.deleteSession(session.sessionId), OK);
  await is('server.stopServer', () => host.stopServer(), OK);
} catch (error) {
  outcomes.push(['the script', error.stack]);
} finally {
  await server.stop();
}

for (const [name, wrong] of outcomes) console.log(wrong === undefined ? `ok    ${name}` : `FAIL  ${name}: ${wrong}`);
const failed = outcomes.filter(([, wrong]) => wrong !== undefined).length;
console.log(`\n${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
