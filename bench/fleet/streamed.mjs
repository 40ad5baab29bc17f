// What pieces add to the statements of a fleet: the same turns with a model that answers at once, and with models that write for a while.
import { randomUUID } from 'node:crypto';
import { median } from '../support/statistics.mjs';
import { shown } from '../support/table.mjs';
import { MAX_TEXTS, STORE_MS } from '../scale/program.mjs';
import { difference } from './window.mjs';

const REPLY_SECONDS = 5;
const AT_ONCE = { label: 'at once', pieces: 1, seconds: 0.001 };
const FEW = { label: 'few pieces', pieces: 25, seconds: REPLY_SECONDS };
const MANY = { label: 'streamed', pieces: 250, seconds: REPLY_SECONDS };
const SMALL = { [FEW.label]: { pieces: 2, seconds: 0.1 }, [MANY.label]: { pieces: 5, seconds: 0.1 } };
const PACES = [AT_ONCE, FEW, MANY];
/** Replies that are read at once, over all processes. */
const READERS = 64;
const ROUNDS = 3;

/** A statement for each piece would make it 1. */
const PER_PIECE = { below: 0.02 };
/** Text is stored by two statements: the entry, and this one, which checks whether the reply still belongs to its process. */
const STORES = /UPDATE turns SET lease_owner = \$\d+ WHERE/;

/**
 * @param service a process that takes the pace of the model which all fleets ask
 * @param settle waits until the processes of a fleet are idle
 */
export async function streamed(workshop, postgres, { service, fleets, settle }) {
  const read = workshop.role('readers');
  const rows = [];
  for (const fleet of fleets) {
    const rounds = Object.fromEntries(PACES.map(({ label }) => [label, []]));
    for (let round = 0; round < workshop.times(ROUNDS); round += 1) {
      for (const pace of PACES) {
        const { label, pieces, seconds } = { ...pace, ...(workshop.smoke ? SMALL[pace.label] : {}) };
        await service({ pieces, replyMs: 1000 * seconds });
        const asks = await asksOf(fleet, workshop.smoke ? fleet.size : READERS);
        await settle(workshop, fleet);
        rounds[label].push({ pieces, seconds, ...(await window(postgres, fleet, () => read({ transport: 'sse', asks, pieces }))) });
      }
    }
    rows.push(...rowsOf(fleet, rounds));
  }
  return rows;
}

/** A question in a session of its own for each reader, evenly over the processes. */
async function asksOf({ servers, agentId }, readers) {
  return Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      const { api, url } = servers[reader % servers.length];
      const { data } = await api('POST', '/api/messaging/sessions', { agentId, userId: randomUUID() });
      return { url, path: `/api/messaging/sessions/${data.sessionId}/messages`, body: { content: 'Tell me about the tides.' } };
    }),
  );
}

async function window(postgres, { database, proxy }, read) {
  const before = { statements: await postgres.statements(database), trips: (await proxy({ read: true })).trips };
  const { count, resets, seconds: took } = await read();
  const found = difference(before.statements, await postgres.statements(database));
  const { trips } = await proxy({ read: true });
  const calls = (list) => list.reduce((sum, each) => sum + each.calls, 0) / count;
  const [statements, stores] = [calls(found), calls(found.filter(({ query }) => STORES.test(query)))];
  return { turns: count, resets, took, statements, stores, others: statements - 2 * stores, trips: (trips - before.trips) / count };
}

function rowsOf({ size }, rounds) {
  const processes = `${size} process${size === 1 ? '' : 'es'}`;
  const middle = ({ label }, field) => median(rounds[label].map((each) => each[field]));
  const [few, many] = [rounds[FEW.label][0], rounds[MANY.label][0]];
  const units = size * Math.ceil(many.turns / size / MAX_TEXTS);
  return [
    ...[AT_ONCE, MANY].map((pace) => ({
      name: `fleet, statements per turn, ${processes}, ${pace.label}`,
      measured: middle(pace, 'statements'),
      more: `${shown(middle(pace, 'trips'))} round trips, text stored ${shown(middle(pace, 'stores'))} times; ${shown(middle(pace, 'took'))} s, ${middle(pace, 'resets')} taken over`,
    })),
    {
      name: `fleet, statements per piece, ${processes}`,
      floor: PER_PIECE,
      measured: (middle(MANY, 'others') - middle(FEW, 'others')) / (many.pieces - few.pieces),
      more: `${many.pieces} pieces against ${few.pieces} in ${many.seconds} s, without those that store text`,
    },
    {
      name: `fleet, round trips per turn, ${processes}, streamed - at once`,
      measured: middle(MANY, 'trips') - middle(AT_ONCE, 'trips'),
      more: `${shown((many.seconds * 1000 * units) / STORE_MS / many.turns)} of them store text: ${units} units every ${STORE_MS} ms`,
    },
  ];
}
