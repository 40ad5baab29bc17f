import { randomBytes, randomUUID } from 'node:crypto';
import { ApiClient, type ApiResponse } from '../../support/api-client.js';
import type { Random } from '../../support/random.js';
import { form } from '../../support/uploads.js';
import { expectStatus } from '../../crash/support/users.js';
import type { TestCluster } from '../../crash/support/test-cluster.js';

const LARGEST_UPLOAD = 200_000;
const CHANNELS = '/api/messaging/channels';

interface Upload {
  readonly url: string;
  readonly content: Buffer;
}

interface KeyedRequest {
  readonly path: string;
  readonly key: string;
  readonly body: object;
  readonly answer: ApiResponse;
}

/** Uploads, and requests with an Idempotency-Key, and what the server answered. */
export class UploadsAndKeys {
  readonly uploads: Upload[] = [];
  readonly keyed: KeyedRequest[] = [];
  private readonly texts: string[] = [];

  /** @param channelId a channel for this user alone */
  constructor(
    private readonly cluster: TestCluster,
    private readonly random: Random,
    private readonly channelId: string,
  ) {}

  /** Uploads files until it is over. What a power failure cut off is uploaded again. */
  async upload(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const content = Buffer.from(randomBytes(this.random.between(1, LARGEST_UPLOAD / 2)).toString('hex'));
      const url = await this.cluster.insist(async (server) => {
        const answer = await new ApiClient(() => server).post(
          `${CHANNELS}/${this.channelId}/upload-media`,
          form(content, `${randomUUID()}.txt`, 'text/plain'),
        );
        expectStatus(answer, 200);
        return answer.body.data.url as string;
      });
      this.uploads.push({ url, content });
      this.cluster.acknowledge();
    }
  }

  /** Posts messages and creates channels until it is over. What a power failure cut off is sent again with its key. */
  async request(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const text = randomUUID();
      this.texts.push(text);
      const [path, body] = this.random.chance(0.7)
        ? [`${CHANNELS}/${this.channelId}/messages`, { author_id: randomUUID(), content: text }]
        : [CHANNELS, { name: text }];
      const key = randomUUID();
      const answer = await this.cluster.insist(async (server) => {
        const answered = await this.send(server, { path, key, body });
        expectStatus(answered, 201);
        return answered;
      });
      this.keyed.push({ path, key, body, answer });
      this.cluster.acknowledge();
    }
  }

  /** Each upload is there as it was sent; each request had one effect, and is answered as before when it is sent again. */
  async check(url: string): Promise<string[]> {
    const faults: string[] = [];
    for (const upload of this.uploads) {
      const response = await fetch(new URL(upload.url, url));
      const content = Buffer.from(await response.arrayBuffer());
      if (response.status !== 200 || !content.equals(upload.content)) {
        faults.push(
          `the upload ${upload.url} of ${upload.content.length} bytes is answered ${response.status} with ${content.length} bytes`,
        );
      }
    }
    for (const request of this.keyed) {
      const again = await this.send(url, request);
      if (again.status !== 201 || JSON.stringify(again.body) !== JSON.stringify(request.answer.body)) {
        faults.push(
          `the request with the key ${request.key} was answered ${JSON.stringify(request.answer.body)} and now ${again.status} ${JSON.stringify(again.body)}`,
        );
      }
    }
    const effects = [...(await this.messages(url)), ...(await this.channels(url))];
    for (const text of this.texts) {
      const count = effects.filter((effect) => effect === text).length;
      if (count !== 1) faults.push(`a request with an Idempotency-Key took effect ${count} times: ${text}`);
    }
    return faults;
  }

  private send(url: string, { path, key, body }: Omit<KeyedRequest, 'answer'>): Promise<ApiResponse> {
    return new ApiClient(() => url).post(path, body, { headers: { 'idempotency-key': key } });
  }

  private async messages(url: string): Promise<string[]> {
    const texts: string[] = [];
    for (let before = ''; ;) {
      const { body } = await new ApiClient(() => url).get(`${CHANNELS}/${this.channelId}/messages?limit=100${before}`);
      const { messages, hasMore, nextCursor } = body.data;
      texts.push(...messages.map(({ content }: { content: string }) => content));
      if (hasMore !== true) return texts;
      before = `&before=${nextCursor.before}`;
    }
  }

  private async channels(url: string): Promise<string[]> {
    const { body } = await new ApiClient(() => url).get('/api/messaging/message-servers/00000000-0000-0000-0000-000000000000/channels');
    return body.data.map(({ name }: { name: string }) => name);
  }
}
