import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { ApiClient, type ApiResponse } from '../../support/api-client.js';
import { ADA, createTestApp, type TestApp, type TestAppOptions } from '../../support/create-test-app.js';
import { FakeClock } from '../../support/fake-clock.js';
import { SocketClient } from '../../support/socket-client.js';

export const USER = '11111111-1111-1111-1111-111111111111';
export const OTHER = '22222222-2222-2222-2222-222222222222';
export const NOBODY = '99999999-9999-9999-9999-999999999999';
export const ADMIN = 'the administrator of the tests';

type Data = ApiResponse['body'];

/** One application that asks for credentials, for a whole file. */
export class GuardedApp {
  readonly clock = new FakeClock();
  readonly api = new ApiClient(() => this.test.url);
  test!: TestApp;
  private readonly sockets: SocketClient[] = [];

  constructor(private readonly options: Omit<TestAppOptions, 'clock'>) {}

  async start(): Promise<void> {
    const { env, ...rest } = this.options;
    this.test = await createTestApp({ ...rest, clock: this.clock, env: { API_KEY: ADMIN, RATE_LIMIT: 'off', ...env } });
  }

  closeSockets(): void {
    for (const socket of this.sockets.splice(0)) socket.close();
  }

  as(token: string = ADMIN): { headers: Record<string, string> } {
    return { headers: { 'x-api-key': token } };
  }

  async key(body: object): Promise<string> {
    return this.data(await this.api.post('/api/keys', { name: 'a key', ...body }, this.as())).token;
  }

  async session(agentId = ADA.id, userId = USER): Promise<{ sessionId: string; channelId: string; token: string }> {
    return this.data(await this.api.post('/api/messaging/sessions', { agentId, userId }));
  }

  async channel(...participantCentralUserIds: string[]): Promise<string> {
    const created = await this.api.post('/api/messaging/channels', { name: 'a channel', participantCentralUserIds }, this.as());
    return this.data(created).id;
  }

  async socket(apiKey: string, auth: object = {}): Promise<SocketClient> {
    const socket = await SocketClient.connect(this.test.url, { auth: { apiKey, ...auth } });
    this.sockets.push(socket);
    return socket;
  }

  /** Status and error code of an answer. */
  async outcome(answer: Promise<ApiResponse>): Promise<[number, string | undefined]> {
    const { status, body } = await answer;
    return [status, body?.error?.code];
  }

  data({ status, body }: ApiResponse): Data {
    if (status >= 300) throw new Error(`this was to succeed: ${status} ${JSON.stringify(body)}`);
    return body.data;
  }
}

/** Starts an application before the tests of the file and stops it behind them. */
export function guardedApp(options: Omit<TestAppOptions, 'clock'> = {}): GuardedApp {
  const app = new GuardedApp(options);
  beforeAll(() => app.start());
  afterEach(() => app.closeSockets());
  afterAll(() => app.test.close());
  return app;
}
