// How the backend of an app hands its users tokens, and what a user's page does with one. Needs `npm install jose`.
import { SignJWT } from 'jose';

/**
 * In the backend, behind its own sign-in: a token that vouches for this user for an hour.
 *
 * @param userId UUID of the user in the app; the same at every sign-in, so that agents know the user again
 * @param secret USER_TOKEN_SECRET of the Parley server
 */
export function userToken(userId: string, secret: string): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setAudience('parley')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}

/** In the page, with the token that the backend gave it: begins a session and says something in it. */
export async function talk(base: string, token: string, agentId: string, userId: string, content: string): Promise<string> {
  const { sessionId } = await post<{ sessionId: string }>(`${base}/api/messaging/sessions`, token, { agentId, userId });
  const path = `${base}/api/messaging/sessions/${sessionId}/messages`;
  const answer = await post<{ agentResponse: { text: string } }>(path, token, { content, transport: 'http' });
  return answer.agentResponse.text;
}

async function post<T>(url: string, token: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data: T; error?: { message: string; details: string } };
  if (answer.error) throw new Error(`${answer.error.message} ${answer.error.details}`);
  return answer.data;
}
