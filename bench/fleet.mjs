// What a turn costs a fleet: 1, 2 and 4 processes on a PostgreSQL of their own, a millisecond of network away.
import { randomBytes, randomUUID } from 'node:crypto';
import { FLOORS, rowsOf } from './fleet/report.mjs';
import { newestPostgres, startPostgres } from './fleet/postgres.mjs';
import { promises } from './fleet/promises.mjs';
import { streamed } from './fleet/streamed.mjs';
import { difference, sampleWriters } from './fleet/window.mjs';
import { idle, processorMs } from './support/workshop.mjs';

const FLEETS = [1, 2, 4];
const CALLERS = 16;
const ROUNDS = 3;
/**
 * Turns of each process before anything is measured. V8 compiles the code of a process during its first thousands of turns, so processes
 * that share the load are compared with one that has it alone after the same number.
 */
const WARM_UP_TURNS = 4000;
const SECONDS = 4;
/** Load before each window: processes and connections that were idle while others were measured have to warm up again. */
const RUN_IN_SECONDS = 5;
// Sweeps come once a minute.
const IDLE_SECONDS = 120;
// The window of a short conversation holds all of it, so that nothing is left to recall.
const TURNS_OF_SESSION = 8;
const DELAY_MS = 1;
// Idle connections of PostgreSQL report their transactions up to ten seconds late.
const LATE_SECONDS = 11;
const WARNED = 8;

const QUESTIONS = Array.from({ length: TURNS_OF_SESSION }, (_, index) => `Tell me about the tides at pier ${index + 1}.`);

export async function fleet(workshop) {
  const bin = await newestPostgres();
  if (bin === undefined) {
    workshop.report('fleet: not measured, PostgreSQL is not installed below /usr/lib/postgresql');
    return [];
  }
  const postgres = await startPostgres(bin, () => workshop.close());
  try {
    const rows = await measured(workshop, postgres);
    await workshop.stopAll();
    rows.push(...(await whileTextComes(workshop, postgres)));
    await workshop.stopAll();
    return [...rows, ...(await promises(workshop, postgres))];
  } finally {
    await workshop.stopAll();
    await postgres.stop();
  }
}

async function measured(workshop, postgres) {
  const model = await workshop.model();
  const callers = workshop.role('callers');
  const fleets = [];
  for (const size of FLEETS) fleets.push(await startFleet(workshop, postgres, model, size));
  // As many processes that have nothing to do with each other: what sharing two cores costs without sharing a database.
  const apart = await startFleet(workshop, postgres, model, FLEETS.at(-1), { apart: true });
  const conditions = fleets.flatMap((each) => [
    { fleet: each, callers: CALLERS, spread: false },
    ...(each.size === 1 ? [] : [{ fleet: each, callers: CALLERS, spread: true }]),
    ...(each.size === 2 ? [] : [{ fleet: each, callers: 1, spread: each.size > 1 }]),
  ]);
  conditions.push({ fleet: apart, callers: CALLERS, spread: false });
  for (const each of [...fleets, apart]) await warmUp(workshop, callers, each);
  for (const condition of conditions) Object.assign(condition, { rounds: [], rate: condition.callers > 1 ? condition.fleet.rate : 40 });
  await wait(workshop, LATE_SECONDS);
  for (const each of fleets) each.before = await postgres.transactions(each.database);
  for (let round = 0; round < workshop.times(ROUNDS); round += 1) {
    // In turns, because a machine has faster and slower minutes.
    for (const condition of round % 2 === 0 ? conditions : conditions.toReversed()) {
      condition.rounds.push(await window(workshop, postgres, callers, condition));
    }
  }
  // Looking at the server a thousand times a second takes a part of the machine, so these windows are not measured otherwise.
  for (const condition of conditions.filter(({ fleet: { apart: isApart } }) => !isApart)) {
    condition.locks = await watched(workshop, postgres, callers, condition);
    await settle(workshop, condition.fleet);
  }
  await wait(workshop, LATE_SECONDS);
  for (const each of fleets) {
    each.after = await postgres.transactions(each.database);
    each.warnings = await warnings(workshop, postgres, each);
  }
  await watchIdle(workshop, postgres, fleets);
  const { rows, details } = rowsOf(conditions, fleets, FLOORS);
  workshop.report(details);
  return rows;
}

async function whileTextComes(workshop, postgres) {
  const service = workshop.role('service');
  const { url } = await service({});
  const fleets = [];
  for (const size of FLEETS) fleets.push(await startFleet(workshop, postgres, url, size, { name: 'streamed' }));
  return streamed(workshop, postgres, { service, fleets, settle });
}

/** @param apart each process has a database of its own. @param name of the databases, with a number */
export async function startFleet(workshop, postgres, model, size, { apart = false, name = 'fleet' } = {}) {
  const databases = apart ? Array.from({ length: size }, (_, index) => `apart_${index}`) : [`${name}_${size}`];
  for (const database of databases) await postgres.create(database);
  const proxy = workshop.role('proxy');
  const { port } = await proxy({ target: postgres.port, delayMs: DELAY_MS });
  const env = { OPENAI_BASE_URL: model, SECRET_KEY: randomBytes(32).toString('hex') };
  const servers = [];
  // The first one of a database makes the schema.
  for (let index = 0; index < size; index += 1) {
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${port}/${databases[index % databases.length]}`;
    servers.push(await workshop.parley({ data: await workshop.data(), env: { ...env, DATABASE_URL } }));
  }
  // The same on all, because its id comes from its name.
  const { data } = await servers[0].api('GET', '/api/agents');
  return { size, apart, database: databases[0], proxy, servers, agentId: data.agents[0].id, turns: 0 };
}

/** Turns on all processes of a fleet, which gets the rate. */
export async function warmUp(workshop, callers, fleet) {
  const amount = workshop.smoke ? CALLERS : WARM_UP_TURNS * fleet.size;
  const job = await jobOf(workshop, { fleet, callers: CALLERS, spread: !fleet.apart }, amount);
  fleet.rate = (await callers({ ...job, amount })).perSecond;
  await settle(workshop, fleet);
}

/** Callers for so many turns, in sessions that are opened before; with more turns, the first sessions go on. */
async function jobOf(workshop, { fleet, callers, spread }, turns) {
  const { servers, agentId } = fleet;
  const sessions = Math.ceil((workshop.smoke ? 1 : turns / callers) / TURNS_OF_SESSION);
  const conversations = await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      const paths = [];
      for (let session = 0; session < sessions; session += 1) {
        const body = { agentId, userId: randomUUID() };
        const { data } = await servers[caller % servers.length].api('POST', '/api/messaging/sessions', body);
        for (let turn = 0; turn < TURNS_OF_SESSION; turn += 1) paths.push(`/api/messaging/sessions/${data.sessionId}/messages`);
      }
      return paths;
    }),
  );
  const urls = servers.map(({ url }) => url);
  return { urls, conversations, questions: QUESTIONS, spread, callers };
}

export async function timedJob(workshop, condition, seconds = SECONDS) {
  return { ...(await jobOf(workshop, condition, 1.5 * condition.rate * seconds)), seconds: workshop.seconds(seconds) };
}

/** Takes turns until the fleet is warm. @returns the job of the window, whose sessions were opened before */
async function runIn(workshop, callers, condition) {
  const [before, job] = [await timedJob(workshop, condition, RUN_IN_SECONDS), await timedJob(workshop, condition)];
  await settle(workshop, condition.fleet);
  condition.fleet.turns += (await callers(before)).count;
  return job;
}

/** One measured window: everything that happens from the first request to the last answer. */
async function window(workshop, postgres, callers, condition) {
  const { fleet: each } = condition;
  const job = await runIn(workshop, callers, condition);
  const state = async () => ({
    statements: await postgres.statements(each.database),
    proxy: await each.proxy({ read: true }),
    processorMs: await processorOf(each),
  });
  const before = await state();
  const load = await callers(job);
  const after = await state();
  condition.rate = load.perSecond;
  each.turns += load.count;
  await settle(workshop, each);
  return {
    ...load,
    statements: difference(before.statements, after.statements),
    trips: after.proxy.trips - before.proxy.trips,
    delayMs: (after.proxy.waitedMs - before.proxy.waitedMs) / (after.proxy.chunks - before.proxy.chunks),
    processorMs: after.processorMs - before.processorMs,
  };
}

async function watched(workshop, postgres, callers, condition) {
  const job = await runIn(workshop, callers, condition);
  const load = callers(job);
  const samples = await sampleWriters(postgres, condition.fleet.database, load);
  const { count, seconds } = await load;
  condition.fleet.turns += count;
  return { ...samples, count, seconds };
}

/** What processes without work ask of their database, statements per minute: `idle` of each fleet. */
async function watchIdle(workshop, postgres, fleets) {
  const before = [];
  for (const { database } of fleets) before.push(await postgres.statements(database));
  const begin = performance.now();
  await wait(workshop, IDLE_SECONDS);
  const minutes = (performance.now() - begin) / 60_000;
  for (const [index, each] of fleets.entries()) {
    const found = difference(before[index], await postgres.statements(each.database));
    const perMinute = (list) => list.reduce((sum, { calls }) => sum + calls, 0) / minutes;
    each.idle = { all: perMinute(found), sweeps: perMinute(found.filter(({ query }) => /^\s*DELETE/i.test(query))) };
  }
}

/** Sessions whose warning is due at once, and how often each was announced. */
async function warnings(workshop, postgres, { servers, agentId, database }) {
  const channels = [];
  for (let index = 0; index < WARNED; index += 1) {
    const timeoutConfig = { timeoutMinutes: 5, warningThresholdMinutes: 5, autoRenew: false };
    const body = { agentId, userId: randomUUID(), timeoutConfig };
    const { data } = await servers[index % servers.length].api('POST', '/api/messaging/sessions', body);
    channels.push(data.channelId);
  }
  const list = channels.map((id) => `'${id}'`).join(', ');
  const limit = performance.now() + 1000 * workshop.seconds(15);
  let rows = [];
  while (rows.length < WARNED && performance.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    rows = await postgres.ask(
      database,
      `SELECT channel_id, count(*)::int AS count FROM journal WHERE type = 'session.warning' AND channel_id IN (${list}) GROUP BY channel_id`,
    );
  }
  return { sessions: WARNED, announced: rows.length, most: Math.max(0, ...rows.map(({ count }) => count)) };
}

export async function processorOf({ servers }) {
  const times = await Promise.all(servers.map(({ pid }) => processorMs(pid)));
  return times.reduce((sum, time) => sum + time, 0);
}

export async function settle(workshop, { servers }) {
  if (!workshop.smoke) await Promise.all(servers.map(({ pid }) => idle(pid)));
}

function wait(workshop, seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * workshop.seconds(seconds)));
}
