import type { JSX } from 'preact';
import { typeName } from '../../chat/channel-type.js';
import { ProtocolBadges, type Protocol } from '../../chat/protocols.js';
import { Time } from '../../ui/text.js';

interface ChannelRowProps {
  readonly href: string;
  readonly name: string;
  /** As the server names it. */
  readonly type: string;
  /** Epoch ms or ISO 8601. */
  readonly at: number | string;
  readonly selected: boolean;
  /** With which it began. */
  readonly protocols?: readonly Protocol[];
}

/** A channel or a room in a list. */
export function ChannelRow({ href, name, type, at, selected, protocols = [] }: ChannelRowProps): JSX.Element {
  return (
    <a class="list-item channel-row" href={href} aria-current={selected ? 'page' : undefined}>
      <span class="truncate strong">{name}</span>
      <span class="row small faint">
        <span>{typeName(type)}</span>
        <ProtocolBadges protocols={protocols} />
        <span class="grow" />
        <Time at={at} />
      </span>
    </a>
  );
}
