// One agent: its tabs, and the bar that saves what was changed in any of them.
import type { AgentView } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { parley } from '../../api.js';
import { download } from '../../download.js';
import { characterInWords } from '../../field-names.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { navigate, query, setQuery } from '../../router.js';
import { agents, loadAgents, setRunning } from '../../store/agents.js';
import { Button, Dot, Tabs } from '../../ui/controls.js';
import { DetailTitle } from '../../ui/detail-title.js';
import { attempt, confirm, Menu, notify } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { Async } from '../../ui/states.js';
import { ActionsTab } from './actions-tab.js';
import { characterOf, isAt, withoutMasks } from './character.js';
import { CharacterTab } from './character-tab.js';
import { ConnectTab } from './connect-tab.js';
import { editorOf, forgetEditor, hasUnsaved, newEditor, type CharacterEditor } from './editor.js';
import { JsonTab } from './json-tab.js';
import { KnowledgeTab } from './knowledge-tab.js';
import { PluginsTab } from './plugins-tab.js';
import { RunningSwitch } from './running-switch.js';
import { SecretsTab } from './secrets-tab.js';
import { SettingsTab } from './settings-tab.js';
import { VoiceTab } from './voice-tab.js';

/** Tabs of an agent that is not created yet. */
const EDITING = ['character', 'settings', 'secrets', 'json'] as const;
const TABS = ['character', 'settings', 'secrets', 'voice', 'knowledge', 'plugins', 'actions', 'connect', 'json'] as const;
type Tab = (typeof TABS)[number];

export function StoredAgent({ agentId }: { readonly agentId: string }): JSX.Element {
  const agent = useLoad(() => parley.call('GET /api/agents/{agentId}', { path: { agentId } }), [agentId]);
  return <Async of={agent}>{(view) => <Stored key={view.id} view={view} />}</Async>;
}

function Stored({ view }: { readonly view: AgentView }): JSX.Element {
  const editor = useMemo(() => editorOf(view), [view]);
  const { id } = view;
  const name = editor.stored.value?.name ?? view.name;
  const running = (agents.value?.find((agent) => agent.id === id)?.status ?? view.status) === 'active';
  const remove = async (): Promise<void> => {
    const asked = { title: t('agents.deleteTitle', { name }), text: t('agents.deleteText'), action: t('common.delete'), danger: true };
    if (!(await confirm(asked))) return;
    const done = await attempt(() => parley.call('DELETE /api/agents/{agentId}', { path: { agentId: id } }), t('agents.deleted', { name }));
    if (!done) return;
    forgetEditor(id);
    navigate('/agents');
    await loadAgents();
  };
  const exportFile = (): void => {
    const character = withoutMasks({ id, ...characterOf(editor.stored.peek() ?? view) });
    download(`${fileName(name)}.json`, `${JSON.stringify(character, null, 2)}\n`);
  };
  return (
    <Form
      editor={editor}
      title={name}
      tabs={TABS}
      action={t('common.save')}
      onSaved={() => notify(t('common.saved'))}
      running={running}
      head={
        <>
          <span class="row small soft">
            <Dot {...(running && { tone: 'ok' as const })} />
            {running ? t('chat.running') : t('chat.stopped')}
          </span>
          <RunningSwitch agentId={id} name={name} running={running} />
          <a class="button" href={`/?agent=${id}`}>
            <Icon name="chat" />
            {t('nav.chat')}
          </a>
          <Menu
            label={t('agents.actionsFor', { name })}
            items={[
              { label: t('agents.export'), icon: 'backup', onSelect: exportFile },
              { label: t('agents.duplicate'), icon: 'copy', needs: 'write', onSelect: () => navigate(`/agents/new?from=${id}`) },
              { label: t('common.delete'), icon: 'trash', needs: 'write', onSelect: () => void remove() },
            ]}
          />
        </>
      }
    />
  );
}

function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '') || 'agent';
}

/** An agent that is not created yet: empty, imported, or a copy of the agent in the address. */
export function NewAgent(): JSX.Element {
  const editor = useMemo(newEditor, []);
  const from = query.value.get('from') ?? undefined;
  const source = useLoad(
    async () => (from === undefined ? undefined : await parley.call('GET /api/agents/{agentId}', { path: { agentId: from } })),
    [from],
  );
  const { state, data } = source.value;
  useEffect(() => {
    if (state !== 'ready' || !data) return;
    editor.fill({ ...withoutMasks(characterOf(data)), name: t('agents.copyOf', { name: data.name }) });
  }, [data]);
  const leftOut = data ? [...Object.keys(data.secrets), ...Object.keys((data.settings['secrets'] as object | undefined) ?? {})] : [];
  return (
    <Async of={source}>
      {() => (
        <Form
          editor={editor}
          title={t('agents.new')}
          tabs={EDITING}
          action={t('common.create')}
          onSaved={(view) => {
            forgetEditor('new');
            navigate(`/agents/${view.id}`, { replace: true });
            void attempt(() => setRunning(view.id, true), t('agents.created', { name: view.name }));
          }}
          onDiscard={() => {
            forgetEditor('new');
            navigate('/agents');
          }}
          {...(leftOut.length > 0 && { notice: t('agents.secretsLeftOut', { names: leftOut.join(', ') }) })}
        />
      )}
    </Async>
  );
}

interface FormProps {
  readonly editor: CharacterEditor;
  readonly title: string;
  readonly tabs: readonly Tab[];
  /** Name of the button that saves. */
  readonly action: string;
  readonly notice?: string;
  readonly head?: JSX.Element;
  readonly running?: boolean;
  readonly onSaved: (view: AgentView) => void;
  readonly onDiscard?: () => void;
}

function Form({ editor, title, tabs, action, notice, head, running = false, onSaved, onDiscard }: FormProps): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  const isNew = editor.stored.value === undefined;
  const selected = tabs.find((tab) => tab === query.value.get('tab')) ?? 'character';
  const select = (tab: Tab): void => setQuery({ tab: tab === 'character' ? undefined : tab, document: undefined, piece: undefined });
  const save = async (): Promise<void> => {
    const view = await editor.save();
    if (view) {
      onSaved(view);
      return;
    }
    const first = editor.faults.peek()[0];
    if (first && selected !== 'json') select(tabOf(first.path) ?? selected);
    requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-fault]')?.focus());
  };
  useSaveShortcut(save);
  return (
    <div class="agent-page">
      <header class="agent-head">
        <DetailTitle back="/agents" backLabel={t('agents.toList')} title={title}>
          {head}
        </DetailTitle>
        <Tabs
          label={title}
          panel="agent-panel"
          selected={selected}
          tabs={tabs.map((id) => ({ id, label: labelOf(id, editor) }))}
          onSelect={select}
        />
      </header>
      <div id="agent-panel" ref={panel} class="agent-panel" role="tabpanel" aria-label={t(`agents.tabs.${selected}`)} tabIndex={0}>
        <div class="agent-form">
          {notice !== undefined && (
            <p class="notice warn">
              <Icon name="key" />
              {notice}
            </p>
          )}
          <Faults editor={editor} />
          <Panel tab={selected} editor={editor} running={running} />
        </div>
      </div>
      {(isNew || editor.dirty.value) && (
        <SaveBar
          status={isNew ? t('agents.notCreated') : t('agents.unsaved')}
          action={action}
          busy={editor.busy.value}
          onDiscard={() => {
            editor.discard();
            onDiscard?.();
          }}
          onSave={() => void save()}
        />
      )}
    </div>
  );
}

/** Saves with Ctrl+S or ⌘S, and has the browser ask before unsaved changes are lost. */
function useSaveShortcut(save: () => Promise<void>): void {
  const latestSave = useRef(save);
  latestSave.current = save;
  // Before the paint, because a user who sees the page may press a key.
  useLayoutEffect(() => {
    const leave = (event: BeforeUnloadEvent): void => {
      if (hasUnsaved()) event.preventDefault();
    };
    const shortcut = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void latestSave.current();
    };
    window.addEventListener('beforeunload', leave);
    window.addEventListener('keydown', shortcut);
    return () => {
      window.removeEventListener('beforeunload', leave);
      window.removeEventListener('keydown', shortcut);
    };
  }, []);
}

interface SaveBarProps {
  readonly status: string;
  /** Name of the button that saves. */
  readonly action: string;
  readonly busy: boolean;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

function SaveBar({ status, action, busy, onDiscard, onSave }: SaveBarProps): JSX.Element {
  return (
    <div class="save-bar" role="region" aria-label={t('agents.unsaved')}>
      <span class="grow soft" role="status">
        {status}
      </span>
      <Button onClick={onDiscard}>{t('agents.discard')}</Button>
      <Button kind="primary" needs="write" busy={busy} onClick={onSave}>
        {action}
      </Button>
    </div>
  );
}

interface PanelProps {
  readonly tab: Tab;
  readonly editor: CharacterEditor;
  readonly running: boolean;
}

function Panel({ tab, editor, running }: PanelProps): JSX.Element {
  const stored = editor.stored.value;
  if (stored) {
    const { id } = stored;
    if (tab === 'voice') return <VoiceTab agentId={id} editor={editor} running={running} />;
    if (tab === 'knowledge') return <KnowledgeTab agentId={id} />;
    if (tab === 'plugins') return <PluginsTab editor={editor} />;
    if (tab === 'actions') return <ActionsTab agentId={id} />;
    if (tab === 'connect') return <ConnectTab agentId={id} name={stored.name} />;
  }
  if (tab === 'settings') return <SettingsTab editor={editor} />;
  if (tab === 'secrets') return <SecretsTab editor={editor} />;
  if (tab === 'json') return <JsonTab editor={editor} />;
  return <CharacterTab editor={editor} />;
}

/** The tab that has the control of a field; undefined for what has none. */
function tabOf(path: string): Tab | undefined {
  if (path === '') return undefined;
  if (isAt(path, 'plugins')) return 'plugins';
  if (isAt(path, 'settings.voice')) return 'voice';
  if (isAt(path, 'secrets') || isAt(path, 'settings.secrets')) return 'secrets';
  return isAt(path, 'settings') ? 'settings' : 'character';
}

function labelOf(tab: Tab, editor: CharacterEditor): string {
  const faults = editor.faults.value.filter(({ path }) => tabOf(path) === tab).length;
  return faults === 0 ? t(`agents.tabs.${tab}`) : `${t(`agents.tabs.${tab}`)} (${faults})`;
}

/** Faults in short above the form, for those whose field is elsewhere or has no control. */
function Faults({ editor }: { readonly editor: CharacterEditor }): JSX.Element | null {
  const { value: faults } = editor.faults;
  if (faults.length === 0) return null;
  return (
    <div class="notice bad" role="alert">
      <Icon name="warning" />
      <div class="stack tight">
        <strong>{t('agents.faults', { count: faults.length })}</strong>
        <ul>
          {faults.map(({ text }, index) => (
            <li key={index}>{characterInWords(text)}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
