import { definePlugin, sameSecret, type UploadedFile } from 'parley-server/plugin-sdk';

/** Takes files for a channel and leaves a note there. The files themselves are not kept: what to do with them is yours to add. */
export default definePlugin({
  name: 'file-intake',
  description: 'Takes files for a channel and leaves a note about them there',
  version: '1.0.0',
  config: {
    FILE_INTAKE_KEY: { description: 'What callers send as x-api-key; without it nobody is let in', secret: true },
  },
  routes: [
    {
      type: 'POST',
      path: '/file-intake',
      name: 'file-intake',
      isMultipart: true,
      maxBytes: 20 * 1024 * 1024,
      async handler(request, response, runtime) {
        const key = runtime.getSetting('FILE_INTAKE_KEY');
        if (!sameSecret(request.headers['x-api-key'], key)) {
          response.status(401).json({ success: false, error: 'Unauthorized' });
          return;
        }
        const { channelId } = (request.body ?? {}) as Record<string, unknown>;
        if (typeof channelId !== 'string' || request.files.length === 0) {
          response.status(400).json({ success: false, error: 'channelId and at least one file are required' });
          return;
        }
        const attachments = request.files.map(({ originalname: filename, size, mimetype: mimeType }) => ({ filename, size, mimeType }));
        try {
          const { id } = await runtime.sendMessage({ channelId, text: noteOf(request.files), attachments });
          response.status(201).json({ success: true, messageId: id, files: attachments });
        } catch (error) {
          response.status(400).json({ success: false, error: (error as Error).message });
        }
      },
    },
  ],
});

function noteOf(files: readonly UploadedFile[]): string {
  return files.map(({ originalname, size, mimetype }) => `Received ${originalname} (${mimetype}, ${size} bytes).`).join('\n');
}
