import { signal } from '@preact/signals';
import type { MediaTypesView } from 'parley-client';
import { parley } from '../api.js';
import { formatBytes, t } from '../i18n.js';

const HEIC = /\.hei[cf]$/i;

/** What the server accepts; undefined until it has said it. */
const accepted = signal<MediaTypesView | undefined>(undefined);
let asking: Promise<void> | undefined;

/** What a picker of files offers. Other texts may be chosen too: the server looks at the content. */
export function acceptedFiles(): string | undefined {
  // Until the answer, and without one, the server decides at the upload.
  asking ??= parley.call('GET /api/media/types', {}).then(
    (types) => void (accepted.value = types),
    () => void (asking = undefined),
  );
  const types = accepted.value;
  return types && [...types.mediaTypes, 'text/*', ...types.extensions].join(',');
}

/** Why a file need not be uploaded, for the user; undefined for a file that may be accepted. */
export function refusalOf({ name, type, size }: File): string | undefined {
  const types = accepted.value;
  if (!types) return undefined;
  if (size > types.maxBytes) return t('chat.fileTooLarge', { name, limit: formatBytes(types.maxBytes) });
  const isHeic = HEIC.test(name) || /^image\/hei[cf]/.test(type);
  return isHeic && !types.mediaTypes.includes('image/heic') ? t('chat.heic', { name }) : undefined;
}
