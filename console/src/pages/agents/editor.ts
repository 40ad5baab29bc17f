// The unsaved character of one agent. It outlives its page, so that nothing typed is lost by looking elsewhere.
import { computed, signal } from '@preact/signals';
import type { AgentView } from 'parley-client';
import { onCredentialChange, parley } from '../../api.js';
import { t } from '../../i18n.js';
import { agents, loadAgents } from '../../store/agents.js';
import {
  changeOf,
  characterOf,
  errorAt,
  errorsOf,
  isAt,
  isFields,
  parseCharacter,
  secretNamesOf,
  tidied,
  withoutSecrets,
  type Fault,
  type Fields,
  type SecretNames,
} from './character.js';

/** Secrets to be set; null removes one. */
type SecretChanges = Readonly<Record<string, string | null>>;

const NO_SECRETS: SecretNames = { own: [], settings: [] };

export class CharacterEditor {
  /** What the server has; undefined for an agent that is not created yet. */
  readonly stored = signal<AgentView | undefined>(undefined);
  readonly character = signal<Fields>({});
  readonly secrets = signal<SecretChanges>({});
  readonly faults = signal<readonly Fault[]>([]);
  readonly busy = signal(false);
  /** The text of the JSON view, while a person edits it; with a `fault` it is no character. */
  readonly json = signal<{ readonly text: string; readonly fault?: string } | undefined>(undefined);

  private readonly storedCharacter = computed(() => (this.stored.value ? characterOf(this.stored.value) : {}));
  readonly storedSecrets = computed(() => (this.stored.value ? secretNamesOf(this.stored.value) : NO_SECRETS));
  readonly dirty = computed(
    () =>
      Object.keys(this.secrets.value).length > 0 ||
      this.json.value?.fault !== undefined ||
      Object.keys(changeOf(this.storedCharacter.value, tidied(this.character.value))).length > 0,
  );

  constructor(view?: AgentView) {
    if (view) this.reset(view);
  }

  reset(view: AgentView): void {
    this.stored.value = view;
    this.discard();
  }

  discard(): void {
    this.character.value = this.storedCharacter.value;
    this.secrets.value = {};
    this.faults.value = [];
    this.json.value = undefined;
  }

  /** Fills in a character that was imported or copied. Its secrets are kept apart. */
  fill(given: Fields): void {
    const { character, secrets } = withoutSecrets(given);
    this.discard();
    this.character.value = character;
    this.secrets.value = secrets;
  }

  set(field: string, value: unknown): void {
    const { [field]: _, ...others } = this.character.value;
    this.character.value = value === undefined ? others : { ...this.character.value, [field]: value };
    this.json.value = undefined;
    this.forgetFaults(field);
  }

  get settings(): Fields {
    const { settings } = this.character.value;
    return isFields(settings) ? settings : {};
  }

  setSetting(name: string, value: unknown): void {
    const { [name]: _, ...others } = this.settings;
    this.set('settings', value === undefined ? others : { ...this.settings, [name]: value });
  }

  setSecret(name: string, value: string | null | undefined): void {
    const { [name]: _, ...others } = this.secrets.value;
    this.secrets.value = value === undefined ? others : { ...others, [name]: value };
    this.forgetFaults('settings');
    this.forgetFaults('secrets');
  }

  /** Takes the text of the JSON view; secrets in it are taken when `whole`. */
  setJson(text: string, whole: boolean): void {
    const value = parseCharacter(text);
    if (value instanceof SyntaxError) {
      this.json.value = { text, fault: value.message };
      return;
    }
    const { character, secrets } = withoutSecrets(value);
    this.character.value = character;
    this.faults.value = [];
    if (whole && Object.keys(secrets).length > 0) {
      this.secrets.value = { ...this.secrets.value, ...secrets };
      this.json.value = undefined;
    } else this.json.value = { text };
  }

  errorAt(path: string): string | undefined {
    return errorAt(this.faults.value, path);
  }

  /** Creates or changes the agent. @returns undefined when the server refuses it; `faults` says why */
  async save(): Promise<AgentView | undefined> {
    if (this.json.value) this.setJson(this.json.value.text, true);
    if (this.json.value?.fault !== undefined || this.busy.value) return undefined;
    this.character.value = tidied(this.character.value);
    this.json.value = undefined;
    this.busy.value = true;
    try {
      const stored = this.stored.value;
      const view = stored ? await this.update(stored.id) : await this.create();
      this.reset(view);
      await loadAgents();
      return view;
    } catch (error) {
      this.faults.value = error instanceof NameTaken ? [{ path: 'name', text: error.message }] : errorsOf(error);
      return undefined;
    } finally {
      this.busy.value = false;
    }
  }

  private update(agentId: string): Promise<AgentView> {
    const change = changeOf(this.storedCharacter.value, this.character.value);
    const { own, settings } = this.storedSecrets.value;
    const secrets = Object.entries(this.secrets.value);
    const ownChanges = secrets.filter(([name]) => own.includes(name) || !settings.includes(name));
    const settingChanges = secrets.filter(([name]) => settings.includes(name));
    if (ownChanges.length > 0) change['secrets'] = Object.fromEntries(ownChanges);
    if (settingChanges.length > 0) {
      change['settings'] = { ...(change['settings'] ?? {}), secrets: Object.fromEntries(settingChanges) };
    }
    return parley.call('PATCH /api/agents/{agentId}', { path: { agentId }, body: change });
  }

  private create(): Promise<AgentView> {
    const { name } = this.character.value;
    // The server responds to the creation of an agent that exists with that agent, unchanged.
    if (agents.value?.some((agent) => agent.name === name) === true) throw new NameTaken(t('agents.nameTaken', { name: String(name) }));
    const secrets = Object.entries(this.secrets.value).filter(([, value]) => value !== null);
    const character = { ...this.character.value, ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets) }) };
    return parley.call('POST /api/agents', { body: { characterJson: character } });
  }

  private forgetFaults(field: string): void {
    if (this.faults.value.length === 0) return;
    this.faults.value = this.faults.value.filter(({ path }) => path !== '' && !isAt(path, field));
  }
}

class NameTaken extends Error {}

const editors = new Map<string, CharacterEditor>();
onCredentialChange(() => editors.clear());

/** The editor of an agent: the one with unsaved changes, or one of what the server has now. */
export function editorOf(view: AgentView): CharacterEditor {
  const known = editors.get(view.id);
  if (known?.dirty.peek() === true) return known;
  const editor = new CharacterEditor(view);
  editors.set(view.id, editor);
  return editor;
}

/** The editor of an agent that is not created yet. */
export function newEditor(): CharacterEditor {
  const known = editors.get('new') ?? new CharacterEditor();
  editors.set('new', known);
  return known;
}

export function forgetEditor(id: string): void {
  editors.delete(id);
}

export function hasUnsaved(): boolean {
  return [...editors.values()].some(({ dirty }) => dirty.peek());
}
