import { randomUUID } from 'node:crypto';
import { FAST_AGENT, SLOW_AGENT } from '../../crash/support/load-generator.js';
import { UnexpectedStatus, type TestCluster } from '../../crash/support/test-cluster.js';
import type { Ledger } from '../../crash/support/users.js';
import { fromServer } from '../../support/api-client.js';
import { expectDocumented } from '../../support/api-document.js';
import type { Frame } from '../../support/cut-wire.js';
import type { Told } from '../../support/door-readers.js';
import type { Random } from '../../support/random.js';
import { CONTINUING, NAMING, RESENDING, type Door, type Line, type Question, type Talk } from './protocol-doors.js';

const LONGEST_TALK = 6;
/** Everybody who brings the conversation along begins it with the same words. */
const OPENING = 'Hello, can you help me?';

/** What a caller was told, and where. */
interface Reply {
  readonly told: Told;
  readonly channelId: string;
  readonly messageId: string;
}

/** Asks through the protocols of others, and repeats each request until it has the whole reply. */
export class ProtocolUser {
  private count = 0;
  private readonly name = randomUUID();

  /** @param channelIds where its conversations are, as it was told */
  constructor(
    private readonly cluster: TestCluster,
    private readonly ledger: Ledger,
    private readonly channelIds: Set<string>,
    private readonly random: Random,
  ) {}

  async live(isOver: () => boolean): Promise<void> {
    const { random } = this;
    for (let talks = 1; !isOver(); talks += 1) {
      const doors = random.pick([NAMING, RESENDING, CONTINUING]);
      const agent = random.pick([FAST_AGENT, FAST_AGENT, SLOW_AGENT]);
      const talk: Talk = {
        ...(doors === NAMING ? { name: `talk ${talks} of ${this.name}` } : { user: `user ${talks} of ${this.name}` }),
        agent,
        said: [],
      };
      // A conversation that is brought along has the form of one protocol.
      const only = random.pick(doors);
      const length = random.between(1, LONGEST_TALK);
      for (let line = 1, goesOn = true; goesOn && line <= length && !isOver(); line += 1) {
        const door = doors === NAMING ? random.pick(doors) : only;
        goesOn = await this.say(talk, door, doors === RESENDING && line === 1 ? OPENING : this.nextText());
      }
    }
  }

  /** @returns false when the reply failed: what the conversation has then is for the user to find out */
  private async say(talk: Talk, door: Door, text: string): Promise<boolean> {
    const { cluster, ledger, random } = this;
    const line: Line = { text, isStreamed: door.whole === undefined || random.chance(0.6), hasTool: random.chance(0.3) };
    const sentAt = cluster.now();
    let question = door.ask(talk, line);
    let reply = await this.insist(door, line, question);
    const { messageId, channelId } = reply;
    while (reply.told.end === 'tool-calls') {
      question = door.give(talk, line, reply.told);
      reply = await this.insist(door, line, question);
      if (reply.channelId !== channelId) {
        throw new Error(`${door.name}: the results of "${text}" went to ${reply.channelId}, not ${channelId}`);
      }
    }
    const { told } = reply;
    this.channelIds.add(channelId);
    ledger.sent.push({ channelId, text, byAgent: false, sentAt, acknowledgedAt: cluster.acknowledge(), id: messageId });
    if (talk.channelId !== undefined && talk.channelId !== channelId) {
      throw new Error(`${door.name}: "${text}" went to ${channelId}, and what was said before is in ${talk.channelId}`);
    }
    talk.channelId = channelId;
    if (told.end !== 'stop') return false;
    const said = told.texts.join('\n\n');
    if (said !== `You said: ${text}`) throw new Error(`${door.name}: the reply to "${text}" is "${said}"`);
    talk.said.splice(0, Infinity, ...question.said, { role: 'assistant', content: said });
    talk.responseId = told.id;
    return true;
  }

  /** A reply that failed twice has failed: the first failure may be that of a stream whose server died. */
  private async insist(door: Door, line: Line, question: Question): Promise<Reply> {
    const key = randomUUID();
    const isWhole = ({ told: { end } }: Reply): boolean => end === 'stop' || end === 'tool-calls';
    const first = await this.asked(door, line, question, key);
    return isWhole(first) ? first : this.asked(door, line, question, key);
  }

  /** Sends a request, and reads on or sends it again whenever it is cut. */
  private async asked(door: Door, line: Line, question: Question, key: string): Promise<Reply> {
    const { cluster, random } = this;
    const headers = { 'content-type': 'application/json', ...question.headers, 'idempotency-key': key };
    const frames: Frame[] = [];
    let hasAsked = false;
    let place = { channelId: '', messageId: '' };
    const told = await cluster.insist(async (url): Promise<Told> => {
      const post = (): Promise<Response> => fetch(url + question.path, { method: 'POST', headers, body: JSON.stringify(question.body) });
      const resumption = line.isStreamed && hasAsked && random.chance(0.7) && door.resume?.(question, door.told(frames), frames.at(-1));
      hasAsked = true;
      if (!resumption || resumption.isReplay) frames.splice(0);
      let response = fromServer(await (resumption ? fetch(url + resumption.path) : post()));
      // Nothing is under way.
      if (response.status === 204) response = fromServer(await post());
      const { headers: got } = response;
      place = {
        channelId: got.get('x-conversation-id') ?? place.channelId,
        messageId: got.get('x-message-id') ?? place.messageId,
      };
      const reply =
        response.status === 200 && line.isStreamed
          ? await readStream(door, response, frames)
          : await readWhole(door, response, question.path);
      if (reply.end === undefined) throw new Error(`the stream of "${line.text}" broke off`);
      return reply;
    });
    cluster.acknowledge();
    return { told, ...place };
  }

  private nextText(): string {
    this.count += 1;
    return `Hello: ${this.name} asks for ${this.count} of the things that it came here for`;
  }
}

async function readStream(door: Door, response: Response, frames: Frame[]): Promise<Told> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    const pieces = (rest + decoder.decode(part, { stream: true })).split('\n\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      const data = /^data: (.*)$/m.exec(piece)?.[1];
      if (data !== undefined) frames.push({ id: undefined, event: undefined, data });
    }
  }
  return door.told(frames);
}

/** @throws UnexpectedStatus for a refusal; a reply that failed is none */
async function readWhole(door: Door, response: Response, path: string): Promise<Told> {
  const { status, headers } = response;
  const text = await response.text();
  const body = JSON.parse(text);
  expectDocumented('POST', path, { status, type: headers.get('content-type') ?? '', body });
  if (status === 200) return door.whole!(body);
  if (/"(model_unavailable|turn_failed)"/i.test(text)) return { id: '', texts: [], calls: [], end: `error: ${status}` };
  throw new UnexpectedStatus(status, `${door.name} answered ${text} with`);
}
