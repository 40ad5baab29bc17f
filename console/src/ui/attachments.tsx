import type { ChannelMessage } from 'parley-client';
import type { JSX } from 'preact';
import { t } from '../i18n.js';
import { Icon } from './icon.js';
import { linkTo, ownFile } from './link.js';
import { recordsIn, textIn, shortened } from './untrusted.js';

/** Files of a message. Pictures and sound of this server are shown; what lies elsewhere is a link. */
export function Attachments({ attachments }: { readonly attachments: ChannelMessage['attachments'] }): JSX.Element | null {
  const files = recordsIn(attachments);
  if (files.length === 0) return null;
  return (
    <ul class="attachments">
      {files.map((file, index) => (
        <li key={index}>
          <AttachmentView
            url={file['url']}
            type={textIn(file, 'contentType', 'mimeType', 'type') ?? ''}
            name={shortened(textIn(file, 'title', 'name', 'url') ?? t('chat.file'))}
          />
        </li>
      ))}
    </ul>
  );
}

function AttachmentView({ url, type, name }: { readonly url: unknown; readonly type: string; readonly name: string }): JSX.Element {
  const own = ownFile(url);
  if (own !== undefined && type.startsWith('image')) {
    return (
      <a href={own} target="_blank" rel="noopener">
        <img class="attachment-image" src={own} alt={name} loading="lazy" />
      </a>
    );
  }
  if (own !== undefined && type.startsWith('audio')) return <audio controls src={own} aria-label={name} />;
  if (own !== undefined && type.startsWith('video')) return <video class="attachment-image" controls src={own} aria-label={name} />;
  return (
    <a class="badge" href={linkTo(url)} target="_blank" rel="noopener noreferrer">
      <Icon name="file" /> {name}
    </a>
  );
}
