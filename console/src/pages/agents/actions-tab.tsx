// The actions and tools that the agent's model could call for a message, and why others not.
import { useSignal } from '@preact/signals';
import type { AgentActionView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { Badge, Button, Field } from '../../ui/controls.js';
import { Async, Empty } from '../../ui/states.js';
import { Json } from '../../ui/text.js';
import { atMost } from '../../ui/characters.js';

export function ActionsTab({ agentId }: { readonly agentId: string }): JSX.Element {
  const typed = useSignal('');
  const asked = useSignal('');
  const actions = useLoad(
    async (signal) => {
      const text = asked.value;
      return (
        await parley.call('GET /api/agents/{agentId}/actions', { path: { agentId }, query: { ...(text !== '' && { text }) }, signal })
      ).actions;
    },
    [agentId, asked.value],
  );
  return (
    <section class="form-section" aria-labelledby="section-actions">
      <h2 id="section-actions">{t('agents.tabs.actions')}</h2>
      <p class="soft">{t('agents.actions.about')}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          asked.value = typed.value;
        }}
      >
        <Field label={t('agents.actions.message')} hint={t('agents.actions.messageHint')}>
          <input
            class="input"
            {...atMost(10_000)}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </Field>
        <div class="row">
          <Button icon="search" type="submit">
            {t('agents.actions.ask')}
          </Button>
        </div>
      </form>
      <Async of={actions}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="tool" title={t('agents.actions.none')}>
              <p>{t('agents.actions.noneHint')}</p>
            </Empty>
          ) : (
            <ul class="plugin-list">
              {all.map((action, index) => (
                <Action key={index} of={action} />
              ))}
            </ul>
          )
        }
      </Async>
    </section>
  );
}

function Action({ of: action }: { readonly of: AgentActionView }): JSX.Element {
  const { name, kind, plugin, description, similes, parameters, offered, reason, details } = action;
  return (
    <li class="plugin">
      <div class="row wrap">
        <code class="strong break">{name}</code>
        <a class="small faint" href={`/plugins/${encodeURIComponent(plugin)}/overview`}>
          {plugin}
        </a>
        {kind === 'tool' && <Badge>{t('agents.actions.tool')}</Badge>}
        <span class="grow" />
        <Badge tone={offered ? 'ok' : 'warn'}>{reason === null ? t('agents.actions.offered') : t(`agents.actions.reason.${reason}`)}</Badge>
      </div>
      <p class="soft small break">{description}</p>
      {details !== null && <p class="notice warn break">{details}</p>}
      {similes.length > 0 && (
        <p class="small faint break">
          {t('agents.actions.similes')}: {similes.join(', ')}
        </p>
      )}
      <details class="small">
        <summary class="soft">{t('why.arguments')}</summary>
        <Json value={parameters} label={t('why.arguments')} />
      </details>
    </li>
  );
}
