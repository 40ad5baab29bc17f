import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';
import { UnitOfWork } from '../../../src/core/database/index.js';
import { DEFAULT_SERVER_ID } from '../../../src/core/ids/index.js';
import { Journal, type JournalEntry } from '../../../src/core/journal/index.js';
import { ModelRegistry } from '../../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../../support/api-client.js';
import { ADA, createTestApp, type TestApp, type TestAppOptions } from '../../support/create-test-app.js';
import { FakeClock } from '../../support/fake-clock.js';

/** The user of the tables. */
export const USER = '11111111-1111-1111-1111-111111111111';
/** An id that nothing has. */
export const NOBODY = '99999999-9999-9999-9999-999999999999';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const SESSIONS = '/api/messaging/sessions';
export const CHANNELS = '/api/messaging/channels';
export const SUBMIT = '/api/messaging/submit';

type Data = ApiResponse['body'];

/** One application for a whole file, with a clock that stands still, and the few things that tables need in it. */
export class ContractApp {
  readonly clock = new FakeClock();
  readonly api = new ApiClient(() => this.test.url);
  test!: TestApp;

  constructor(private readonly options: Omit<TestAppOptions, 'clock'>) {}

  async start(): Promise<void> {
    this.test = await createTestApp({ ...this.options, clock: this.clock });
  }

  /** Mocks are taken back before each test, so the model has to be put there again. */
  useScriptedModel(): void {
    jest.spyOn(this.test.app.get(ModelRegistry), 'chat').mockReturnValue(this.test.model);
  }

  /** Makes everything that writes fail in a way that would give away what is underneath. */
  breakStorage(): void {
    const fault = new Error('SQLITE_IOERR: disk I/O error in INSERT INTO messages (/work/secret/parley.sqlite)');
    const unitOfWork = this.test.app.get(UnitOfWork);
    jest.spyOn(unitOfWork, 'commit').mockRejectedValue(fault);
    jest.spyOn(unitOfWork, 'run').mockRejectedValue(fault);
  }

  async newSession(body: object = {}): Promise<Data> {
    return created(await this.api.post(SESSIONS, { agentId: ADA.id, userId: USER, ...body }));
  }

  /** @param participants Ada and the user, when it is not said */
  async newChannel({ participants = [ADA.id, USER], ...body }: { participants?: string[]; [key: string]: unknown } = {}): Promise<Data> {
    const given = { name: 'room', serverId: DEFAULT_SERVER_ID, participantCentralUserIds: participants, ...body };
    return created(await this.api.post(CHANNELS, given));
  }

  /** A message in a channel without agents. */
  async say(channelId: string, content: string, body: object = {}): Promise<Data> {
    return created(await this.api.post(`${CHANNELS}/${channelId}/messages`, { author_id: USER, content, ...body }));
  }

  async messages(channelId: string): Promise<Data[]> {
    return (await this.api.get(`${CHANNELS}/${channelId}/messages?limit=100`)).body.data.messages;
  }

  /** What the journal has about a channel behind an offset. */
  entries(channelId: string, after = 0): Promise<JournalEntry[]> {
    return this.test.app.get(Journal).read(channelId, after);
  }

  /** Settles with the first entry of the channel, from its beginning on, that is asked for. */
  async entry<T extends JournalEntry['type']>(
    channelId: string,
    type: T,
    matches: (entry: JournalEntry) => boolean = () => true,
  ): Promise<Extract<JournalEntry, { type: T }>> {
    const enough = new AbortController();
    try {
      for await (const entry of this.test.app.get(Journal).follow(channelId, 0, enough.signal)) {
        if (entry.type === type && matches(entry)) return entry as Extract<JournalEntry, { type: T }>;
      }
    } finally {
      enough.abort();
    }
    throw new Error(`the journal of the channel has no ${type}`);
  }

  /** Settles when the first turn of the channel has ended, however it did. */
  async ended(channelId: string): Promise<void> {
    const enough = new AbortController();
    for await (const { type } of this.test.app.get(Journal).follow(channelId, 0, enough.signal)) {
      if (type === 'turn.finished' || type === 'turn.failed' || type === 'turn.cancelled') enough.abort();
    }
  }
}

function created({ status, body }: ApiResponse): Data {
  if (status !== 201) throw new Error(`this was to be created: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Starts an application before the tests of the file and stops it behind them. */
export function contractApp(env: Record<string, string> = {}, options: Pick<TestAppOptions, 'characters' | 'plugins'> = {}): ContractApp {
  const app = new ContractApp({ ...options, env });
  beforeAll(() => app.start());
  beforeEach(() => app.useScriptedModel());
  afterAll(() => app.test.close());
  return app;
}
