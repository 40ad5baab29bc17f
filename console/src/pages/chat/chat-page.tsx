import type { JSX } from 'preact';
import { Empty } from '../../ui/states.js';
import { t } from '../../i18n.js';

export default function ChatPage(): JSX.Element {
  return <Empty title={t('nav.chat')} icon="chat" />;
}
