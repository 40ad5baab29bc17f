import { afterEach } from '@jest/globals';
import { ApiClient } from './api-client.js';
import { ADA, createTestApp, type TestApp, type TestAppOptions } from './create-test-app.js';
import { SocketClient } from './socket-client.js';

export const USER = '11111111-1111-1111-1111-111111111111';
export const OTHER = '22222222-2222-2222-2222-222222222222';

/** An application for one test, with what its socket.io clients speak about. */
export class SocketApp {
  readonly api = new ApiClient(() => this.test.url);
  test!: TestApp;
  private clients: SocketClient[] = [];

  readonly start = async (options: TestAppOptions = {}): Promise<void> => {
    this.test = await createTestApp(options);
  };

  /** Closed with the application, connected or not. */
  readonly client = (auth: object = { entityId: USER }, url = this.test.url): SocketClient => {
    const client = new SocketClient(url, { auth: { ...auth } });
    this.clients.push(client);
    return client;
  };

  readonly connect = async (auth?: object, url?: string): Promise<SocketClient> => {
    const client = this.client(auth, url);
    await client.connected();
    return client;
  };

  readonly createChannel = async (participants: string[] = []): Promise<string> =>
    (await this.api.post('/api/messaging/channels', { name: 'a channel', participantCentralUserIds: participants })).body.data.id;

  readonly createSession = async (extra: object = {}): Promise<{ sessionId: string; channelId: string }> =>
    (await this.api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER, ...extra })).body.data;

  /** As another user. */
  readonly write = (channelId: string, content: string): ReturnType<ApiClient['post']> =>
    this.api.post(`/api/messaging/channels/${channelId}/messages`, { author_id: OTHER, content });

  async close(): Promise<void> {
    for (const client of this.clients.splice(0)) client.close();
    this.test.model.assertDone();
    await this.test.close();
  }
}

/** Started by each test of the file for itself, and stopped behind it. */
export function socketApp(): SocketApp {
  const app = new SocketApp();
  afterEach(() => app.close());
  return app;
}
