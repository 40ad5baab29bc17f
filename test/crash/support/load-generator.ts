import { randomUUID } from 'node:crypto';
import { idFromText } from '../../../src/core/ids/index.js';
import { ApiClient } from '../../support/api-client.js';
import type { Random } from '../../support/random.js';
import { User, type Ledger, type Place } from './users.js';
import type { TestCluster } from './test-cluster.js';

export interface NamedAgent {
  readonly id: string;
  readonly name: string;
}

const agent = (name: string): NamedAgent => ({ id: idFromText(name), name });

// What makes one slow or fail is the model that the test gives it.
export const FAST_AGENT = agent('Swift');
export const SLOW_AGENT = agent('Slow');
export const FAILING_AGENT = agent('Sour');

const OPENS_ANOTHER = 0.12;
const LONGEST_REST_MS = 30;

/** Users of three kinds who write until it is over: in sessions of their own, in shared channels, and in an agent's name. */
export class LoadGenerator {
  private over = false;
  readonly isOver = (): boolean => this.over;

  constructor(
    private readonly cluster: TestCluster,
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
    const open = (): Promise<Place> => user.openSession(random.pick([FAST_AGENT, FAST_AGENT, SLOW_AGENT, FAILING_AGENT]).id);
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
      const agents = random.pick([
        [FAST_AGENT],
        [FAST_AGENT],
        [SLOW_AGENT],
        [FAILING_AGENT],
        [FAST_AGENT, SLOW_AGENT],
        [FAST_AGENT, FAILING_AGENT],
      ]);
      await user.say(placeIn(random.pick(shared), authorId, agents));
    }
  }

  async submitter(shared: readonly string[]): Promise<void> {
    const { random } = this;
    const user = this.user();
    while (!this.over) {
      await user.submit(random.pick(shared), FAST_AGENT.id);
      await elapsed(random.between(0, LONGEST_REST_MS));
    }
  }

  private user(): User {
    return new User(this.cluster, this.ledger, this.random);
  }
}

/** A channel with all three agents. */
export function createChannel(cluster: TestCluster): Promise<string> {
  return cluster.insist(async (url) => {
    const body = { name: 'shared', participantCentralUserIds: [FAST_AGENT.id, SLOW_AGENT.id, FAILING_AGENT.id] };
    const { status, body: answer } = await new ApiClient(() => url).post('/api/messaging/channels', body);
    if (status !== 201) throw new Error(`no channel: ${status} ${JSON.stringify(answer)}`);
    return answer.data.id as string;
  });
}

/** The channel for a user who asks these agents. */
export function placeIn(channelId: string, authorId: string, agents: readonly NamedAgent[]): Place {
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
