// Programs that talk to the agent, by the protocol that they speak.
import type { ComponentChildren, JSX } from 'preact';
import { credential } from '../../api.js';
import { protocolName, type Protocol } from '../../chat/protocols.js';
import { t } from '../../i18n.js';
import { parleyExample } from '../../parley-example.js';
import { agents } from '../../store/agents.js';
import { serverStatus } from '../../store/server-status.js';
import { Code } from '../../ui/text.js';
import { anthropicExample, curlExample, modelOf, openaiExample, useChatExample } from './connect-examples.js';

const SETTING = 'PROTOCOLS';

export function ConnectTab({ agentId, name }: { readonly agentId: string; readonly name: string }): JSX.Element {
  const url = location.origin;
  const needsKey = credential.value !== undefined;
  const model = modelOf(agentId, name, agents.value ?? []);
  const example = { url, agentId, model, needsKey };
  return (
    <>
      <section class="form-section" aria-labelledby="section-connect">
        <h2 id="section-connect">{t('agents.tabs.connect')}</h2>
        <p class="soft">{t('agents.connect.about', { name })}</p>
        <p class="soft">
          {needsKey ? (
            <>
              {t('chat.keyHint')} <a href="/keys">{t('nav.keys')}</a>
            </>
          ) : (
            t('agents.connect.noKey')
          )}
        </p>
      </section>
      <OfProtocol
        protocol="openai"
        facts={[
          [t('agents.connect.baseUrl'), `${url}/v1`],
          [t('agents.connect.model'), model],
        ]}
      >
        <Snippet title="curl" text={curlExample(example)} />
        <Snippet title="openai" text={openaiExample(example)} />
      </OfProtocol>
      <OfProtocol
        protocol="anthropic"
        facts={[
          [t('agents.connect.baseUrl'), url, t('agents.connect.withoutVersion')],
          [t('agents.connect.model'), model],
        ]}
      >
        <Snippet title="@anthropic-ai/sdk" text={anthropicExample(example)} />
      </OfProtocol>
      <OfProtocol protocol="ai-sdk" facts={[[t('agents.connect.address'), `${url}/api/agents/${agentId}/chat`]]}>
        <Snippet title="@ai-sdk/react" text={useChatExample(example)} />
        <p class="small soft">{t('agents.connect.page', { setting: 'CORS_ORIGIN' })}</p>
      </OfProtocol>
      <section class="form-section" aria-labelledby="section-parley">
        <h2 id="section-parley">Parley</h2>
        <Snippet title="parley-client" text={parleyExample(example)} />
      </section>
    </>
  );
}

interface OfProtocolProps {
  readonly protocol: Protocol;
  /** What a client is given. */
  readonly facts: readonly (readonly [name: string, value: string, hint?: string])[];
  readonly children: ComponentChildren;
}

function OfProtocol({ protocol, facts, children }: OfProtocolProps): JSX.Element {
  const isOff = serverStatus.value?.protocols.includes(protocol) === false;
  return (
    <section class="form-section" aria-labelledby={`section-${protocol}`}>
      <h2 id={`section-${protocol}`}>{protocolName(protocol)}</h2>
      {isOff ? (
        <p class="notice">{t('agents.connect.off', { protocol, setting: SETTING })}</p>
      ) : (
        <>
          <dl class="facts">
            {facts.map(([name, value, hint]) => (
              <>
                <dt>{name}</dt>
                <dd>
                  <code>{value}</code> {hint !== undefined && <span class="small soft">{hint}</span>}
                </dd>
              </>
            ))}
          </dl>
          {children}
        </>
      )}
    </section>
  );
}

function Snippet({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      <Code text={text} label={title} wrap />
    </div>
  );
}
