// The protocols of others through which the messages of a conversation came.
import type { JSX } from 'preact';
import { t } from '../i18n.js';
import { Badge } from '../ui/controls.js';

const NAMES = { openai: 'OpenAI', anthropic: 'Anthropic', 'ai-sdk': 'AI SDK' } as const;
export type Protocol = keyof typeof NAMES;

export function protocolName(protocol: Protocol): string {
  return NAMES[protocol];
}

/** The protocols in what the metadata of a channel and of its messages name, each once. */
export function protocolsIn(named: readonly unknown[]): readonly Protocol[] {
  return [...new Set(named.filter(isProtocol))];
}

function isProtocol(value: unknown): value is Protocol {
  return typeof value === 'string' && Object.hasOwn(NAMES, value);
}

export function ProtocolBadges({ protocols }: { readonly protocols: readonly Protocol[] }): JSX.Element {
  return (
    <>
      {protocols.map((protocol) => (
        <Badge key={protocol}>{protocolName(protocol)}</Badge>
      ))}
    </>
  );
}

/** Leads to the conversation that this one branches from: its caller changed what had been said. */
export function BranchLink({ href }: { readonly href: string }): JSX.Element {
  return (
    <a class="branch-link" href={href}>
      {t('chat.branchOf')}
    </a>
  );
}
