// A stream may be cut at any of its bytes: the client goes on as its protocol does, and has in the end what it would have had.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '../../src/providers/models/index.js';
import { ApiClient } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { framesOf, inCharacter, inFrame, Wire, type Asked, type Cut, type Part } from '../support/cut-wire.js';
import type { Told } from '../support/door-readers.js';
import { CLERK, expectedOf, isSame, newQuestion, outcomeOf, PARTS, roundsOf, type Door, type Round, type Way } from '../support/doors.js';
import { FakeClock } from '../support/fake-clock.js';
import { Gate } from '../support/scripted-model.js';

const PATIENCE_TURNS = 1_000_000;
const never = new AbortController().signal;

const clock = new FakeClock();
const api = new ApiClient(() => test.url);
let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({ clock, plugins: { 'clerk/index.mjs': CLERK } });
});
afterAll(() => test.close());

/** Time passes until something has happened. */
async function whileTimePasses<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  for (let turn = 0; !state.isDone; turn += 1) {
    if (turn > PATIENCE_TURNS) throw new Error('nothing happens any more');
    // Rarely after a while, so that what waits for the machine does not take hours.
    if (turn < 40 || turn % 40 === 0) clock.advance(25);
    await nextTurn();
  }
  return done;
}

/** Says a round: each piece, and the end of a round behind which the client has to act, when it is let. */
async function* speak({ pieces, calls }: Round, gate: Gate): AsyncGenerator<ChatEvent, void> {
  for (const text of pieces) {
    await gate.pass(never);
    yield { type: 'delta', text };
  }
  if (calls[0]?.name !== 'LOOK_UP') await gate.pass(never);
  for (const [index, call] of calls.entries()) yield { type: 'tool-call', id: `call-${index}`, ...call };
  yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage: {} };
}

/** A response that is read to its end, however it comes. */
const atOnce: Cut = () => undefined;
const markIn = (piece: string): string => piece.replace(/ [^]*/, '');

/** One response: of a question, or of results. */
interface Run {
  readonly door: Door;
  readonly part: number;
  readonly asked: Asked;
  readonly gate: Gate;
  readonly wire: Wire;
  /** Whether the model was let say its last piece before the cut. */
  readonly isOver: boolean;
}

/** Asks, and lets the model say a piece whenever the client has the one before, until a cut or the end. */
async function run(door: Door, part: number, hasKey: boolean, cut: Cut = () => undefined): Promise<Run> {
  const question = await newQuestion(door, api, hasKey);
  const rounds = roundsOf(door);
  const before = part === 0 ? undefined : await listen(door, 0, door.ask(question), atOnce, rounds);
  const results = { ...question, key: question.key && randomUUID() };
  return listen(door, part, before ? door.give!(results, door.told(before.wire.part.frames)) : door.ask(question), cut, rounds);
}

async function listen(door: Door, part: number, asked: Asked, cut: Cut, rounds: readonly Round[]): Promise<Run> {
  const gate = new Gate();
  const said = part === 0 ? rounds.filter((_, index) => index < 2) : rounds.filter((_, index) => index >= 2);
  for (const round of said) test.model.events(speak(round, gate));
  const wire = new Wire(test.url, asked);
  const isCut = (): boolean => cut(wire.bytes) !== undefined;
  const pieces = said.flatMap((round) => round.pieces);
  let released = 0;
  for (const piece of cut === atOnce ? [] : pieces) {
    if (isCut()) break;
    gate.release();
    released += 1;
    await whileTimePasses(wire.until((bytes) => bytes.includes(markIn(piece)) || isCut()));
  }
  if (!isCut()) {
    gate.open();
    await whileTimePasses(wire.until(isCut));
  }
  return { door, part, asked, gate, wire, isOver: released === pieces.length };
}

/** A way that a client goes on. */
interface Resumed {
  readonly way: Way;
  readonly had: Part;
  readonly wire: Wire;
}

function resume({ door, asked }: Run, had: Part, ways: readonly Way[] = door.ways): Resumed[] {
  return ways.flatMap((way) => {
    const request = way.request(had, asked);
    return request ? [{ way, had, wire: new Wire(test.url, request) }] : [];
  });
}

const toldOf = ({ way, had, wire }: Resumed): Told => way.told(had, wire.part);
const isEnded = (each: Resumed): boolean => toldOf(each).end !== undefined;

/** Reads what clients get until the response has ended for each of them. */
async function readAll(resumed: readonly Resumed[]): Promise<void> {
  await whileTimePasses(Promise.all(resumed.map((each) => each.wire.until(() => each.way.shows !== 'stored' && isEnded(each)))));
}

/** Tells how that what a client has in the end differs from the uncut reply. @param isOver whether the reply may have ended before it came back */
function faultOf({ door, part }: Run, resumed: Resumed, isOver: boolean): string | undefined {
  const { way, wire } = resumed;
  const told = outcomeOf(toldOf(resumed));
  const isIdle = isOver && way.shows === 'whole' && told.end === 'idle';
  const expected = expectedOf(door, way, part);
  if (isIdle ? expected.end === 'stop' : isSame(told, expected)) return undefined;
  return `${way.name}${isOver ? ' (afterwards)' : ''} ${wire.part.status ?? 'no status'}: ${JSON.stringify(told)}`;
}

/** Cuts a response while it is made, goes on in each way, and once more when it has ended. */
async function faultsOf(door: Door, part: number, cut: Cut, hasKey: boolean): Promise<string[]> {
  const cutRun = await run(door, part, hasKey, cut);
  const { wire, gate } = cutRun;
  const at = cut(wire.bytes);
  if (at === undefined) return ['the response is shorter than before'];
  const had = wire.cutAt(at);
  const running = resume(
    cutRun,
    had,
    door.ways.filter(({ shows }) => shows !== 'stored'),
  );
  gate.release();
  await whileTimePasses(Promise.all(running.map((each) => each.wire.until((bytes) => bytes.length > 0))));
  gate.open();
  await readAll(running);
  const isWaiting = expectedOf(door, { shows: 'part' }, part).end !== 'stop';
  const ended = resume(cutRun, had, isWaiting ? door.ways.filter(({ shows }) => shows !== 'stored') : door.ways);
  await readAll(ended);
  const faults = [
    ...running.flatMap((each) => faultOf(cutRun, each, cutRun.isOver) ?? []),
    ...ended.flatMap((each) => faultOf(cutRun, each, true) ?? []),
  ];
  for (const each of [...running, ...ended]) each.wire.cutAt(0);
  return faults.map((fault) => `cut at byte ${at}, behind ${had.frames.length} events: ${fault}`);
}

/** The boundaries of all events, and of each a place within it: in a character of several bytes, before the last byte, in the middle. */
function cutsIn(bytes: Buffer): Cut[] {
  const within = [inCharacter, (frame: number) => inFrame(frame, 0.999), (frame: number) => inFrame(frame, 0.5)];
  return Array.from({ length: framesOf(bytes) + 1 }, (_, index) => index - 1).flatMap((frame) => [
    inFrame(frame, 1),
    within[(frame + within.length) % within.length]!(frame),
  ]);
}

describe('a stream that is cut anywhere', () => {
  it.each(PARTS)(
    '$what',
    async ({ door, part }) => {
      const { wire } = await run(door, part, true);
      expect(outcomeOf(door.told(wire.part.frames))).toEqual(expectedOf(door, { shows: 'part' }, part));
      const faults: string[] = [];
      for (const [index, cut] of cutsIn(wire.bytes).entries()) faults.push(...(await faultsOf(door, part, cut, index % 2 === 0)));
      expect(faults).toEqual([]);
    },
    60_000,
  );
});
