import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { channelName } from '../../chat/channel-name.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { agentName } from '../../store/agents.js';
import { Async } from '../../ui/states.js';
import { Id, Markdown } from '../../ui/text.js';
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
        {({ summary: { channelId, question, answer } }) => (
          <>
            <dl class="card pad run-texts">
              <dt class="small faint">{t('runs.question')}</dt>
              <dd>{question === null ? t('why.deleted') : <Markdown text={question} />}</dd>
              {answer !== null && (
                <>
                  <dt class="small faint">{t('runs.answer')}</dt>
                  <dd>
                    <Markdown text={answer} />
                  </dd>
                </>
              )}
            </dl>
            <dl class="facts small">
              <dt>{t('runs.id')}</dt>
              <dd>
                <Id id={runId} />
              </dd>
              <dt>{t('common.channel')}</dt>
              <dd class="row wrap">
                <ChannelLink channelId={channelId} />
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

/** The name of a channel, which leads to it; its id when it cannot be read. */
function ChannelLink({ channelId }: { readonly channelId: string }): JSX.Element {
  const channel = useLoad(() => parley.call('GET /api/messaging/channels/{channelId}', { path: { channelId } }), [channelId]);
  const { data } = channel.value;
  const href = `/chat/${channelId}`;
  return data ? <a href={href}>{channelName(data)}</a> : <Id id={channelId} href={href} />;
}
