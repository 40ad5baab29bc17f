import { isAnsweredLater, type ChannelMessage } from 'parley-client';
import type { JSX } from 'preact';
import type { ChannelReader } from '../../chat/channel-reader.js';
import { t } from '../../i18n.js';
import { Button } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { textIn } from '../../ui/untrusted.js';

const CUT = { length: 'chat.cutByLength', 'content-filter': 'chat.cutByFilter' } as const;

interface EndingProps {
  readonly message: ChannelMessage;
  readonly reader: ChannelReader;
}

/** Says of a reply that ended early why, and offers to ask again. */
export function MessageEnding({ message, reader }: EndingProps): JSX.Element | null {
  const { finishReason, failure } = message.metadata;
  const isBroken = finishReason === 'error';
  if (!isBroken && !isCut(finishReason)) return null;
  const { authorId: agentId, inReplyTo } = message;
  const question = reader.state.value.messages.find(({ id }) => id === inReplyTo);
  const isOpen = question !== undefined && inReplyTo !== null && !isAnsweredLater(reader.state.value, { agentId, inReplyTo });
  const told = typeof failure === 'object' && failure !== null ? (failure as Readonly<Record<string, unknown>>) : {};
  return (
    <div class={`notice ${isBroken ? 'bad' : 'warn'}`}>
      <Icon name="warning" />
      <span class="grow">
        {isBroken ? (
          <>
            <span class="strong">{t('chat.brokeOff')}</span> {textIn(told, 'message')} {textIn(told, 'details')}
          </>
        ) : (
          t(CUT[finishReason])
        )}
      </span>
      {isBroken && isOpen && (
        <Button icon="again" needs="write" onClick={() => void attempt(() => reader.post(question))}>
          {t('chat.sendAgain')}
        </Button>
      )}
    </div>
  );
}

function isCut(reason: unknown): reason is keyof typeof CUT {
  return typeof reason === 'string' && Object.hasOwn(CUT, reason);
}
