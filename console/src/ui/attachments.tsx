import type { ChannelMessage } from '@parley/client';
import type { JSX } from 'preact';
import { t } from '../i18n.js';
import { Icon } from './icon.js';

/** Files of a message. Pictures and sound of this server are shown; what lies elsewhere is a link. */
export function Attachments({ attachments }: { readonly attachments: ChannelMessage['attachments'] }): JSX.Element | null {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments">
      {attachments.map((attachment, index) => (
        <li key={index}>
          <AttachmentView url={String(attachment.url ?? '')} type={typeOf(attachment)} name={nameOf(attachment)} />
        </li>
      ))}
    </ul>
  );
}

function AttachmentView({ url, type, name }: { readonly url: string; readonly type: string; readonly name: string }): JSX.Element {
  const own = url.startsWith('/media/') || url.startsWith(`${location.origin}/media/`);
  if (own && type.startsWith('image')) {
    return (
      <a href={url} target="_blank" rel="noopener">
        <img class="attachment-image" src={url} alt={name} loading="lazy" />
      </a>
    );
  }
  if (own && type.startsWith('audio')) return <audio controls src={url} aria-label={name} />;
  if (own && type.startsWith('video')) return <video class="attachment-image" controls src={url} aria-label={name} />;
  return (
    <a class="badge" href={/^https?:|^\//.test(url) ? url : undefined} target="_blank" rel="noopener noreferrer">
      <Icon name="file" /> {name}
    </a>
  );
}

function typeOf(attachment: ChannelMessage['attachments'][number]): string {
  const { contentType, mimeType, type } = attachment;
  return [contentType, mimeType, type].find((value) => typeof value === 'string') ?? '';
}

function nameOf({ title, name, url }: ChannelMessage['attachments'][number]): string {
  return [title, name, url].find((value): value is string => typeof value === 'string' && value !== '') ?? t('chat.file');
}
