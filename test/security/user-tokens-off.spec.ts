import { expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { guardedApp, USER } from './support/guarded-app.js';

const app = guardedApp();

it('without USER_TOKEN_SECRET a user token is an invalid key, however it is signed', async () => {
  for (const secret of ['undefined', 'x'.repeat(32)]) {
    const claims = { sub: USER, exp: Math.floor(app.clock.now() / 1000) + 60 };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    const { status, body } = await app.api.get('/api/agents', app.as(token));
    expect([status, body.error.message]).toEqual([401, 'The API key is wrong']);
  }
});
