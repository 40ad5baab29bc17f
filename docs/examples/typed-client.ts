// A typed client of Parley in a few lines: the types come from the OpenAPI document, the requests are plain fetch.
import type { paths } from './parley-api.js';

type Post<P extends keyof paths> = paths[P] extends { post: infer O } ? O : never;
type JsonBody<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;
type Created<O> = O extends { responses: { 201: { content: { 'application/json': infer A } } } } ? A : never;

/** Sends a body that the description allows and gives back the answer that it promises. */
export async function post<P extends keyof paths>(base: string, path: P, body: JsonBody<Post<P>>): Promise<Created<Post<P>>> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { error?: { code: string; message: string; details: string } };
  if (answer.error) throw new Error(`${answer.error.code}: ${answer.error.message} ${answer.error.details}`);
  return answer as Created<Post<P>>;
}

/** Opens a session and says something in it. */
export async function hello(base: string, agentId: string, userId: string): Promise<string> {
  const session = await post(base, '/api/messaging/sessions', { agentId, userId });
  return session.data.sessionId;
}
