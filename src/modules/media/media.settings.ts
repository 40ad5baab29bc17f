import { dataFolder, integer, text, type SettingValues } from '../../core/config/index.js';

export const MEDIA_SETTINGS = {
  uploadLimitBytes: integer(
    'UPLOAD_LIMIT_BYTES',
    50 * 1024 * 1024,
    { min: 1024, max: 10 * 1024 * 1024 * 1024 },
    { about: 'Maximum size of an uploaded file, bytes.' },
  ),
  mediaDir: dataFolder('MEDIA_DIR', 'media', {
    about: 'Folder of uploaded files. Processes that share a database must share this folder.',
  }),
  mediaUnusedHours: integer(
    'MEDIA_UNUSED_HOURS',
    168,
    { min: 1, max: 87_600 },
    { about: 'Retention of files that were uploaded to a channel or created by an agent but never sent in a message, hours.' },
  ),
  heifConvertPath: text('HEIF_CONVERT_PATH', 'heif-convert', {
    about: 'Name or path of heif-convert, which converts HEIC pictures to JPEG. Without it, they are refused.',
  }),
} as const;

type MediaConfig = SettingValues<typeof MEDIA_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends MediaConfig {}
}
