import { describe, expect, it } from '@jest/globals';
import { callRoute, type RouteTestResult, type TestFile } from 'parley-server/plugin-sdk/testing';
import plugin from './index.js';

const CHANNEL = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const PDF: TestFile = { originalname: 'Rechnung März.pdf', mimetype: 'application/pdf', content: '%PDF-1.7' };

function send(body: object, files: TestFile[], key = 'secret'): Promise<RouteTestResult> {
  const request = { method: 'POST', path: '/file-intake', body, files, headers: { 'x-api-key': key } };
  return callRoute(plugin, request, { settings: { FILE_INTAKE_KEY: 'secret' } });
}

describe('file-intake', () => {
  it('leaves a note about each file', async () => {
    const answer = await send({ channelId: CHANNEL }, [PDF, { originalname: 'a.txt', mimetype: 'text/plain', content: 'abc' }]);
    const attachments = [
      { filename: 'Rechnung März.pdf', size: 8, mimeType: 'application/pdf' },
      { filename: 'a.txt', size: 3, mimeType: 'text/plain' },
    ];
    expect(answer).toMatchObject({ status: 201, body: { success: true, files: attachments } });
    const text = 'Received Rechnung März.pdf (application/pdf, 8 bytes).\nReceived a.txt (text/plain, 3 bytes).';
    expect(answer.sent).toEqual([{ channelId: CHANNEL, text, attachments }]);
  });

  it('needs a channel and a file', async () => {
    expect(await send({}, [PDF])).toMatchObject({ status: 400, sent: [] });
    expect(await send({ channelId: CHANNEL }, [])).toMatchObject({ status: 400, sent: [] });
  });

  it('lets in only who knows the key', async () => {
    expect(await send({ channelId: CHANNEL }, [PDF], 'wrong')).toMatchObject({ status: 401, sent: [] });
  });
});
