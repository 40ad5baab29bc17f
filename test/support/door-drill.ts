import { randomUUID } from 'node:crypto';
import { ApiClient } from './api-client.js';
import { framesOf, inCharacter, inFrame, Wire, type Asked, type Cut, type Part } from './cut-wire.js';
import { expectedOf, isSame, newQuestion, outcomeOf, PARTS, roundsOf, type Door, type Question, type Round, type Way } from './doors.js';
import type { ModelBehaviour, ModelServer } from './model-server.mjs';

/** Pieces of a text that the model says before it waits. */
const HELD_AFTER = 2;
/** How often a client repeats a request that an error ended. */
const REPETITIONS = 3;
const PATIENCE_MS = 60_000;

/** Where a stream is cut, when so much of it has come. */
const CUTS: readonly ((frames: number) => Cut)[] = [
  () => inFrame(0, 0.5),
  (frames) => inCharacter(frames - 1),
  (frames) => inFrame(frames - 1, 1),
];

/** The response that a question is to get. */
interface Topic {
  readonly door: Door;
  readonly part: number;
}

interface Exchange extends Topic {
  readonly number: number;
  readonly asked: Asked;
  readonly had: Part;
}

interface Resumed extends Exchange {
  readonly way: Way;
  readonly wire: Wire;
}

/**
 * Clients of all protocols whose connections are cut while a model is in the middle of its reply, and who go on elsewhere: on a server that
 * began again, or on another one. The model says what it said before when it is asked again, or something else.
 */
export class DoorDrill {
  private readonly parts = new Map<number, Topic>();
  private readonly asked = new Map<string, number>();
  private released!: Promise<void>;
  private let = (): void => undefined;
  private changed = (): void => undefined;

  /** @param saysOther whether the model says something else when it is asked again */
  constructor(
    model: ModelServer,
    private readonly saysOther = false,
  ) {
    this.hold();
    model.otherwise((body) => this.answer(JSON.stringify(body['messages'])));
  }

  /** Settles when the model has been asked again for each reply, and has said the first pieces. */
  async askedAgain(exchanges: readonly Exchange[]): Promise<void> {
    const isAsked = ({ number, part }: Exchange): boolean => (this.asked.get(`${number}/${part + 1}`) ?? 0) > 1;
    while (!exchanges.every(isAsked)) await new Promise<void>((resolve) => (this.changed = resolve));
  }

  /** Lets the model say the rest. */
  release(): void {
    this.let();
  }

  /** Asks over each protocol, waits until the first pieces of the reply have come, and cuts the connections. */
  cutAll(url: string, parts: readonly Topic[] = PARTS): Promise<Exchange[]> {
    const exchanges = parts.flatMap(({ door, part }) => CUTS.map((cut, index) => this.cutOne(url, door, part, cut, index % 2 === 0)));
    return Promise.all(exchanges);
  }

  /** Goes on with all of them, in each way. */
  resume(url: string, exchanges: readonly Exchange[]): Resumed[] {
    return exchanges.flatMap((exchange) =>
      exchange.door.ways.flatMap((way) => {
        const request = way.shows === 'stored' ? undefined : way.request(exchange.had, exchange.asked);
        return request ? [{ ...exchange, way, wire: new Wire(url, request) }] : [];
      }),
    );
  }

  /** Reads all to the end, and tells what differs from replies that were not cut. @param isOver whether they may have ended before */
  async faults(url: string, resumed: readonly Resumed[], isOver = false): Promise<string[]> {
    const faults = resumed.map(async (each) => {
      const { door, part, way, had } = each;
      const told = await this.read(url, each);
      const expected = expectedOf(door, way, part, this.finalRounds(each));
      const isIdle = isOver && way.shows === 'whole' && told.end === 'idle' && expected.end === 'stop';
      if (isIdle || isSame(told, expected)) return [];
      return [`${door.name}, part ${part}, ${had.frames.length} events, ${way.name}: ${JSON.stringify(told)}`];
    });
    return (await Promise.all(faults)).flat();
  }

  /** To the end. Where a protocol cannot take text back, it ends with an error, behind which clients repeat the request. */
  private async read(url: string, { door, part, asked, way, had, wire }: Resumed): Promise<ReturnType<typeof outcomeOf>> {
    let [current, from] = [wire, way];
    // Where a reader hears of the calls before too, they are not yet the end.
    const isEnd = (end: string | undefined): boolean => end !== undefined && (part === 0 || end !== 'tool-calls');
    for (let tries = 0; ; tries += 1) {
      await inTime(current.until(() => isEnd(from.told(had, current.part).end)));
      const told = outcomeOf(from.told(had, current.part));
      current.cutAt(0);
      if (tries === REPETITIONS || !/^error/.test(told.end ?? '')) return told;
      from = way.shows === 'whole' ? way : door.ways[0]!;
      current = new Wire(url, from.request(had, asked)!);
    }
  }

  private async cutOne(url: string, door: Door, part: number, cutOf: (frames: number) => Cut, hasKey: boolean): Promise<Exchange> {
    const question = await newQuestion(door, new ApiClient(() => url), hasKey);
    this.parts.set(question.number, { door, part });
    const asked = await this.requestOf(url, door, part, question);
    const wire = new Wire(url, asked);
    const mark = `«${part === 0 ? 'b' : 'c'}${HELD_AFTER - 1}»`;
    await inTime(wire.until((bytes) => bytes.includes(mark) && bytes.subarray(bytes.indexOf(mark)).includes('\n\n')));
    const at = cutOf(framesOf(wire.bytes))(wire.bytes);
    if (at === undefined || wire.isOver) throw new Error(`${door.name} ends too early: ${wire.part.text}`);
    return { number: question.number, door, part, asked, had: wire.cutAt(at) };
  }

  private async requestOf(url: string, door: Door, part: number, question: Question): Promise<Asked> {
    if (part === 0) return door.ask(question);
    const before = new Wire(url, door.ask(question));
    await inTime(before.whole());
    return door.give!({ ...question, key: question.key && randomUUID() }, door.told(before.part.frames));
  }

  private hold(): void {
    this.released = new Promise((resolve) => (this.let = resolve));
  }

  /** What the model says in the end: of a fleet, another server than the one that was asked may have had the reply from its beginning. */
  private finalRounds({ number, door, part }: Exchange): Round[] {
    return roundsOf(door).map((round, index) => (index === part + 1 ? this.saidOf(number, index, round) : round));
  }

  private saidOf(number: number, index: number, round: Round): Round {
    const times = this.asked.get(`${number}/${index}`) ?? 0;
    return this.saysOther && times > 1 ? other(round) : round;
  }

  /** The next round of a conversation: as many results of tools as it has came before. */
  private answer(conversation: string): ModelBehaviour {
    // Before it, the agent may remember others.
    const number = Number([...conversation.matchAll(/\[question (\d+)\]/g)].at(-1)?.[1]);
    const { door, part } = this.parts.get(number)!;
    const index = conversation.split('"role":"tool"').length - 1;
    const times = (this.asked.get(`${number}/${index}`) ?? 0) + 1;
    this.asked.set(`${number}/${index}`, times);
    this.changed();
    const { pieces, calls } = this.saidOf(number, index, roundsOf(door)[index]!);
    const isHeld = index === part + 1;
    const held = { after: isHeld ? HELD_AFTER : pieces.length, until: isHeld ? this.released : Promise.resolve() };
    const said = { deltas: [...pieces], held };
    if (calls.length === 0) return { kind: 'reply', ...said };
    return { kind: 'calls', ...said, calls: calls.map((call, at) => ({ id: `call-${index}-${at}`, ...call })) };
  }
}

function other({ pieces, calls }: Round): Round {
  return { calls, pieces: pieces.map((piece) => piece.replace('» ', '» other ')) };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<never>((_, reject) =>
    limit.addEventListener('abort', () => reject(new Error('nothing comes any more')), { once: true }),
  );
  return Promise.race([work, late]);
}
