import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Icon } from '../../ui/icon.js';
import { recordsIn, shortened, textIn } from '../../ui/untrusted.js';

/** The attached files that an agent could not read, each with the reason (docs/guides/knowledge.md). */
export function UnreadFiles({ files }: { readonly files: unknown }): JSX.Element {
  return (
    <>
      {recordsIn(files).map((file, index) => (
        <div key={index} class="notice warn">
          <Icon name="warning" />
          <span class="grow break">
            <span class="strong">{t('chat.unread', { name: shortened(textIn(file, 'name') ?? t('chat.file')) })}</span>{' '}
            {textIn(file, 'reason')}
          </span>
        </div>
      ))}
    </>
  );
}
