import { createHmac } from 'node:crypto';
import type { ApiClient, ApiResponse } from './api-client.js';
import { ADA, type TestApp } from './create-test-app.js';
import type { FakeClock } from './fake-clock.js';

export const ADMIN = 'the administrator of the tests';
export const USER_SECRET = 'the secret that the backend of the app has';
export const CHANNELS = '/api/messaging/channels';
export const QUESTION = 'What is my bank safe code?';

type Data = ApiResponse['body'];

/** What tests of recall between users do over HTTP, with ADMIN as API_KEY and USER_SECRET as USER_TOKEN_SECRET. */
export function recallConversations(api: ApiClient, clock: FakeClock, model: () => TestApp['model']) {
  let secrets = 0;

  const as = (credential: string | undefined): { headers: Record<string, string> } | undefined =>
    credential === undefined ? undefined : { headers: { 'x-api-key': credential } };
  const sent = ({ status, body }: ApiResponse): Data => {
    if (status >= 300) throw new Error(`this was to succeed: ${status} ${JSON.stringify(body)}`);
    return body.data ?? body;
  };
  const key = async (body: object = {}): Promise<string> =>
    sent(await api.post('/api/keys', { name: 'a key', scope: 'write', ...body }, as(ADMIN))).token;
  const userToken = (sub: string): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'HS256' })}.${part({ sub, exp: Math.floor(clock.now() / 1000) + 86_000 })}`;
    return `${text}.${createHmac('sha256', USER_SECRET).update(text).digest('base64url')}`;
  };
  const session = async (credential: string | undefined, userId: string, agentId = ADA.id): Promise<Data> =>
    sent(await api.post('/api/messaging/sessions', { agentId, userId }, as(credential)));
  const inSession = async ({ sessionId, token }: Data, content: string, credential: string = token): Promise<Data> =>
    sent(await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' }, as(credential)));
  const inChannel = async (channelId: string, author_id: string, content: string, credential = ADMIN): Promise<Data> =>
    sent(await api.post(`${CHANNELS}/${channelId}/messages`, { author_id, content, transport: 'http' }, as(credential)));
  const channel = async (people: string[], credential = ADMIN): Promise<string> =>
    sent(await api.post(CHANNELS, { name: 'a group', participantCentralUserIds: [ADA.id, ...people] }, as(credential))).id;
  const aSecret = (): string => `7${String((secrets += 1)).padStart(5, '0')}`;

  /** Tells the agent something in a session that is vouched for. */
  const tell = async (userId: string): Promise<string> => {
    const secret = aSecret();
    await inSession(await session(ADMIN, userId), `My bank safe code is ${secret}`);
    return secret;
  };
  /** What the model was told when it was asked behind everything that was said so far. */
  const seen = async (ask: () => Promise<unknown>): Promise<string> => {
    clock.advance(10_000);
    const before = model().requests.length;
    await ask();
    await model().called(before + 1);
    return JSON.stringify(model().requests[before]);
  };
  const seenInSession = async (credential: string | undefined, userId: string): Promise<string> => {
    const held = await session(credential, userId);
    return seen(() => inSession(held, QUESTION));
  };

  return { as, sent, key, userToken, session, inSession, inChannel, channel, aSecret, tell, seen, seenInSession };
}
