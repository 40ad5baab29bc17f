import { definePlugin, sameSecret } from 'parley-server/plugin-sdk';

/** Lets a program post as the agent: `{ channelId, message, metadata? }`, with a key in `x-api-key`. */
export default definePlugin({
  name: 'post-message',
  description: 'Posts a message as the agent, for callers that know the key',
  version: '1.0.0',
  config: {
    POST_MESSAGE_KEY: { description: 'What callers send as x-api-key; without it nobody is let in', secret: true },
  },
  routes: [
    {
      type: 'POST',
      path: '/post-message',
      name: 'post-message',
      async handler(request, response, runtime) {
        const key = runtime.getSetting('POST_MESSAGE_KEY');
        if (!sameSecret(request.headers['x-api-key'], key)) {
          response.status(401).json({ success: false, error: 'Unauthorized' });
          return;
        }
        const { channelId, message, metadata } = (request.body ?? {}) as Record<string, unknown>;
        if (typeof channelId !== 'string' || typeof message !== 'string' || message === '') {
          response.status(400).json({ success: false, error: 'channelId and message are required' });
          return;
        }
        try {
          const sent = await runtime.sendMessage({ channelId, text: message, metadata: metadata as Record<string, unknown> | undefined });
          response.json({ success: true, messageId: sent.id, message: 'The message is posted' });
        } catch (error) {
          response.status(400).json({ success: false, error: (error as Error).message });
        }
      },
    },
  ],
});
