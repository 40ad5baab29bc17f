import { randomUUID } from 'node:crypto';
import { idFromText } from '../../../src/core/ids/index.js';
import { ApiClient } from '../../support/api-client.js';
import type { Random } from '../../support/random.js';
import { User, type Ledger, type Place } from './users.js';
import type { World } from './world.js';

export interface Named {
  readonly id: string;
  readonly name: string;
}

const agent = (name: string): Named => ({ id: idFromText(name), name });

// What makes one slow or fail is the model that the test gives it.
export const SWIFT = agent('Swift');
export const SLOW = agent('Slow');
export const SOUR = agent('Sour');

const OPENS_ANOTHER = 0.12;
const LONGEST_REST_MS = 30;

/** Users of three kinds who write until it is over: in sessions of their own, in shared channels, and in an agent's name. */
export class Crowd {
  private over = false;
  readonly isOver = (): boolean => this.over;

  constructor(
    private readonly world: World,
    private readonly ledger: Ledger,
    private readonly random: Random,
  ) {}

  /** Each ends what it is at, and no more. */
  end(): void {
    this.over = true;
  }

  async sessionUser(): Promise<void> {
    const { random } = this;
    const user = this.user();
    const open = (): Promise<Place> => user.openSession(random.pick([SWIFT, SWIFT, SLOW, SOUR]).id);
    let place = await open();
    while (!this.over) {
      if (random.chance(OPENS_ANOTHER)) place = await open();
      await user.say(place);
    }
  }

  async channelUser(shared: readonly string[]): Promise<void> {
    const { random } = this;
    const user = this.user();
    const authorId = randomUUID();
    while (!this.over) {
      const agents = random.pick([[SWIFT], [SWIFT], [SLOW], [SOUR], [SWIFT, SLOW], [SWIFT, SOUR]]);
      await user.say(placeIn(random.pick(shared), authorId, agents));
    }
  }

  async submitter(shared: readonly string[]): Promise<void> {
    const { random } = this;
    const user = this.user();
    while (!this.over) {
      await user.submit(random.pick(shared), SWIFT.id);
      await elapsed(random.between(0, LONGEST_REST_MS));
    }
  }

  private user(): User {
    return new User(this.world, this.ledger, this.random);
  }
}

/** A channel with all three agents. */
export function createChannel(world: World): Promise<string> {
  return world.insist(async (url) => {
    const body = { name: 'shared', participantCentralUserIds: [SWIFT.id, SLOW.id, SOUR.id] };
    const { status, body: answer } = await new ApiClient(() => url).post('/api/messaging/channels', body);
    if (status !== 201) throw new Error(`no channel: ${status} ${JSON.stringify(answer)}`);
    return answer.data.id as string;
  });
}

/** The channel for a user who asks these agents. */
export function placeIn(channelId: string, authorId: string, agents: readonly Named[]): Place {
  return {
    path: `/api/messaging/channels/${channelId}/messages`,
    channelId,
    authorId,
    fields: { author_id: authorId },
    greeting: agents.map(({ name }) => name).join(' and '),
    owed: agents.length,
  };
}

/** Only to make the moment of a fault, or the pace of a user, one of chance; nothing waits for a condition in this way. */
export function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
