import { definePlugin } from 'parley-server/plugin-sdk';
import { sentenceOf } from './sentence.js';

/** Tells a channel what happens in a GitHub repository. The server checks the signature, answers at once and sorts out repetitions. */
export default definePlugin({
  name: 'github-webhook',
  description: 'Tells a channel what happens in a GitHub repository',
  version: '1.0.0',
  config: {
    GITHUB_WEBHOOK_SECRET: { description: 'The secret of the webhook at GitHub; without it nothing is let in', secret: true },
    GITHUB_WEBHOOK_CHANNEL: { description: 'Id of the channel that is told; without it events are only logged' },
  },
  routes: [
    {
      type: 'POST',
      path: '/github-webhook',
      name: 'github-webhook',
      webhook: { verify: 'github', secret: 'GITHUB_WEBHOOK_SECRET', mode: 'ack' },
      async handler(request, response, runtime) {
        const event = String(request.headers['x-github-event'] ?? '');
        const text = sentenceOf(event, request.body);
        const channelId = runtime.getSetting('GITHUB_WEBHOOK_CHANNEL');
        if (text === undefined || typeof channelId !== 'string') {
          runtime.logger.debug('a GitHub event that nobody is told about', { event });
        } else {
          // The delivery names the message: were it handled again, the message would still be there once.
          await runtime.sendMessage({ channelId, text, id: request.deliveryId, metadata: { source: 'github', event } });
        }
        response.status(200).json({ success: true });
      },
    },
  ],
});
