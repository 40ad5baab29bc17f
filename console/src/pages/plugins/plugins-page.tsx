// Plugins: loaded and failed, with reasons, routes, components and deliveries.
import './plugins.css';
import type { PluginView } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import type { PageProps } from '../../page-props.js';
import { navigate } from '../../router.js';
import { watchAgents } from '../../store/agents.js';
import { Badge, Dot, Tabs } from '../../ui/controls.js';
import { Icon } from '../../ui/icon.js';
import { Async, Empty } from '../../ui/states.js';
import { Deliveries } from './deliveries.js';
import { Components, Problems, Routes, Settings } from './overview.js';

const INTERVAL_MS = 10_000;
const VIEWS = ['overview', 'deliveries'] as const;
type View = (typeof VIEWS)[number];

/** With the view at its end: the server takes a path that ends with an extension for a file's, and a failed plugin has the name of its file. */
function addressOf(name: string, view: View): string {
  return `/plugins/${encodeURIComponent(name)}/${view}`;
}

export default function PluginsPage({ params }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  const plugins = useLoad(async () => (await parley.call('GET /api/plugins')).plugins, [], { everyMs: INTERVAL_MS });
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.plugins')}</h1>
      </header>
      <Async of={plugins}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="plugin" title={t('plugins.none')}>
              <p>{t('plugins.noneHint')}</p>
            </Empty>
          ) : (
            <div class={`plugins ${params['name'] === undefined ? '' : 'detail-open'}`}>
              <PluginList plugins={all} selected={params['name']} />
              <Selected plugins={all} name={params['name']} view={VIEWS.find((id) => id === params['view']) ?? 'overview'} />
            </div>
          )
        }
      </Async>
    </div>
  );
}

interface PluginListProps {
  readonly plugins: readonly PluginView[];
  readonly selected: string | undefined;
}

/** Failed plugins first. */
function PluginList({ plugins, selected }: PluginListProps): JSX.Element {
  const sorted = [...plugins].sort((a, b) => toneRank(a) - toneRank(b) || a.name.localeCompare(b.name));
  return (
    <nav class="card plugin-list" aria-label={t('nav.plugins')}>
      {sorted.map((plugin) => (
        <a
          key={plugin.name}
          class="list-item"
          href={addressOf(plugin.name, 'overview')}
          aria-current={plugin.name === selected ? 'page' : undefined}
        >
          <span class="row">
            <Dot tone={toneOf(plugin)} label={t(`plugins.state.${plugin.state}`)} />
            <span class="grow truncate strong">{plugin.name}</span>
            {plugin.version && <span class="small faint">{plugin.version}</span>}
          </span>
          <span class="small soft plugin-about">{plugin.state === 'failed' ? plugin.reason : plugin.description}</span>
        </a>
      ))}
    </nav>
  );
}

function toneRank({ state, problems = [] }: PluginView): number {
  if (state === 'failed') return 0;
  return problems.length > 0 ? 1 : 2;
}

function toneOf(plugin: PluginView): 'bad' | 'warn' | 'ok' {
  return (['bad', 'warn', 'ok'] as const)[toneRank(plugin)] ?? 'ok';
}

interface SelectedProps {
  readonly plugins: readonly PluginView[];
  readonly name: string | undefined;
  readonly view: View;
}

function Selected({ plugins, name, view }: SelectedProps): JSX.Element {
  if (name === undefined) {
    return (
      <div class="plugin-detail">
        <Empty icon="plugin" title={t('plugins.choose')} />
      </div>
    );
  }
  const plugin = plugins.find((one) => one.name === name);
  return (
    <article class="plugin-detail stack">
      <a class="plugin-back" href="/plugins">
        <Icon name="left" /> {t('plugins.all')}
      </a>
      {plugin ? <Detail plugin={plugin} view={view} /> : <Empty icon="plugin" title={t('plugins.unknown', { name })} />}
    </article>
  );
}

function Detail({ plugin, view }: { readonly plugin: PluginView; readonly view: View }): JSX.Element {
  const { name, state, version, source, description, reason } = plugin;
  return (
    <>
      <header class="stack tight">
        <div class="row wrap">
          <h2>{name}</h2>
          <Badge tone={toneOf(plugin)}>{t(`plugins.state.${state}`)}</Badge>
          {version && <span class="faint">{version}</span>}
        </div>
        {description && <p class="soft">{description}</p>}
        <p class="small faint break">
          {t('plugins.source')}: <code>{source}</code>
        </p>
      </header>
      {reason !== undefined && (
        <div class="notice bad" role="alert">
          <Icon name="warning" />
          <span class="break">{reason}</span>
        </div>
      )}
      <Tabs<View>
        label={name}
        tabs={VIEWS.map((id) => ({ id, label: t(`plugins.view.${id}`) }))}
        selected={view}
        panel="plugin"
        onSelect={(wanted) => navigate(addressOf(name, wanted), { replace: true })}
      />
      <div id="plugin" role="tabpanel" class="stack" aria-label={t(`plugins.view.${view}`)}>
        {view === 'deliveries' ? (
          <Deliveries plugin={name} />
        ) : (
          <>
            <Problems problems={plugin.problems ?? []} />
            <Components components={plugin.components ?? []} />
            <Settings settings={plugin.settings ?? []} />
            <Routes routes={plugin.routes} />
          </>
        )}
      </div>
    </>
  );
}
