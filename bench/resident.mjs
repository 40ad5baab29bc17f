// Resident memory, and the time of a start.
import { randomUUID } from 'node:crypto';
import { median } from './support/statistics.mjs';
import { shown } from './support/table.mjs';
import { peakMb, residentMb } from './support/workshop.mjs';

const TURNS = 1500;
const CALLERS = 16;
const TURNS_OF_A_SESSION = 8;

/** A server that has just started and has nothing to do. */
export async function idle(workshop) {
  const rows = [];
  const started = [];
  for (const [agents, name, floor] of [
    [1, 'one agent', { below: 130 }],
    ['default', 'the agents it comes with', { below: 130 }],
    [100, '100 agents', { below: 200 }],
  ]) {
    const sizes = [];
    for (let round = 0; round < workshop.times(3); round++) {
      const server = await workshop.parley({ data: await workshop.data(), agents, env: { EMBEDDING_PROVIDER: 'embedded' } });
      if (agents === 'default') started.push(server.startedIn);
      await pause(workshop.seconds(3));
      sizes.push(await residentMb(server.pid));
      await server.stop();
    }
    rows.push({ name: `resident, idle, ${name}`, floor, measured: median(sizes), unit: ' MB', more: '' });
  }
  rows.push({ name: 'start to first answer, empty directory', floor: { below: 1200 }, measured: median(started), unit: ' ms' });
  return rows;
}

/** The peak of 1,500 turns, and what is left of it a minute later; with the encoder too, whose share is the difference. */
export async function resident(workshop) {
  const model = await workshop.model();
  const load = workshop.role('load');
  const rows = [];
  for (const embeddings of ['none', 'embedded']) {
    const env = { OPENAI_BASE_URL: model, EMBEDDING_PROVIDER: embeddings };
    const server = await workshop.parley({ data: await workshop.data(), env });
    const requests = await questions(server, workshop.smoke ? 2 : TURNS / CALLERS);
    const before = await residentMb(server.pid);
    await load({ url: server.url, callers: CALLERS, amount: requests.flat().length, requests, expect: 201 });
    const peak = await peakMb(server.pid);
    await pause(workshop.seconds(75));
    const after = await residentMb(server.pid);
    const [peakFloor, afterFloor] = embeddings === 'none' ? [{ below: 260 }, { below: 180 }] : [];
    const name = embeddings === 'none' ? 'turns' : 'turns with vectors';
    rows.push({
      name: `resident, peak of ${name}`,
      floor: peakFloor,
      measured: peak,
      unit: ' MB',
      more: `${shown(before)} MB before them`,
    });
    rows.push({ name: `resident, a minute after ${name}`, floor: afterFloor, measured: after, unit: ' MB' });
    await server.stop();
  }
  return rows;
}

async function questions(server, each) {
  const { data } = await server.api('GET', '/api/agents');
  const agentId = data.agents[0].id;
  const requests = [];
  for (let caller = 0; caller < CALLERS; caller++) {
    const own = [];
    let path;
    for (let index = 0; index < each; index++) {
      if (index % TURNS_OF_A_SESSION === 0) {
        const session = await server.api('POST', '/api/messaging/sessions', { agentId, userId: randomUUID() });
        path = `/api/messaging/sessions/${session.data.sessionId}/messages`;
      }
      const body = JSON.stringify({ content: `Question ${index + 1} of caller ${caller + 1}, which nobody has asked.`, transport: 'http' });
      own.push({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body });
    }
    requests.push(own);
  }
  return requests;
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
