import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { agentName } from '../../store/agents.js';
import { Async } from '../../ui/states.js';
import { Id } from '../../ui/text.js';
import { Why } from '../../why/why.js';

export function RunPage({ agentId, runId }: { readonly agentId: string; readonly runId: string }): JSX.Element {
  const run = useLoad(() => parley.call('GET /api/agents/{agentId}/runs/{runId}', { path: { agentId, runId } }), [agentId, runId]);
  return (
    <div class="page run-page">
      <header class="page-head">
        <h1 class="grow">{t('runs.run', { agent: agentName(agentId) })}</h1>
        <a href="/runs">{t('runs.all')}</a>
      </header>
      <Async of={run}>
        {({ summary: { channelId } }) => (
          <>
            <dl class="facts small">
              <dt>{t('runs.id')}</dt>
              <dd>
                <Id id={runId} />
              </dd>
              <dt>{t('common.channel')}</dt>
              <dd class="row wrap">
                <Id id={channelId} href={`/chat/${channelId}`} />
                <a href={`/runs?channel=${channelId}`}>{t('runs.ofChannel')}</a>
              </dd>
              <dt>{t('common.agent')}</dt>
              <dd class="row wrap">
                <a href={`/runs?agent=${agentId}`}>{t('runs.ofAgent')}</a>
                <a href={`/logs?view=agents&agent=${agentId}`}>{t('runs.log')}</a>
              </dd>
            </dl>
            <div class="card">
              <h2 class="visually-hidden">{t('why.title')}</h2>
              <Why agentId={agentId} runId={runId} live />
            </div>
          </>
        )}
      </Async>
    </div>
  );
}
