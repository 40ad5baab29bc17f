import { idFromText } from '../../../src/core/ids/index.js';
import { ModelRegistry } from '../../../src/providers/models/index.js';
import { ADA, BOB, createTestApp, type TestApp, type TestAppOptions } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { ScriptedModel } from '../scripted-model.js';
import type { PlayedTurn } from './played-turn.js';
import { Stage } from './stage.js';

type GoldenCharacter = { readonly name: string } & Readonly<Record<string, unknown>>;

/** The conversations that one application plays. */
export interface GoldenGroup {
  /** Name of its file. */
  readonly name: string;
  readonly app?: Omit<TestAppOptions, 'clock' | 'engine' | 'characters'> & { readonly characters?: readonly GoldenCharacter[] };
  /** By what is special in them. New ones come last, because the times of each depend on its place. */
  readonly conversations: Readonly<Record<string, (stage: Stage) => Promise<void>>>;
  /** What the model says where a conversation does not say it. */
  readonly answers?: Parameters<TestApp['model']['always']>[0];
}

const BEGIN = Date.UTC(2026, 2, 2, 9);
/** Time between the beginnings of two conversations, so that the times of each do not depend on the others. */
const APART_MS = 10 * 86_400_000;
/** The journal is kept meanwhile: the newest entry of a quiet channel outlives those behind it, which the invariants report. */
const ENV = { JOURNAL_RETENTION_HOURS: '87600' };

/** A group with its application. */
export class GoldenApp {
  private constructor(
    private readonly group: GoldenGroup,
    private readonly test: TestApp,
    private readonly clock: FakeClock,
  ) {}

  static async start(group: GoldenGroup): Promise<GoldenApp> {
    const clock = new FakeClock(BEGIN);
    return new GoldenApp(group, await createTestApp({ ...group.app, env: { ...ENV, ...group.app?.env }, clock }), clock);
  }

  async play(name: string): Promise<readonly PlayedTurn[]> {
    const { app: { characters = [ADA, BOB], env } = {}, conversations, answers = () => 'I see.' } = this.group;
    this.clock.set(BEGIN + Object.keys(conversations).indexOf(name) * APART_MS);
    // The server remembers by its id what a model can read.
    const model = Object.assign(new ScriptedModel(), { modelId: name }).always(answers);
    this.test.app.get(ModelRegistry).chat = () => model;
    this.test.model = model;
    const agents = new Map(characters.map((character) => [character.name, idFromText(character.name)]));
    const stage = new Stage(name, this.test, this.clock, agents, env?.['API_KEY']);
    await conversations[name]?.(stage);
    for (const each of new Set([model, this.test.model])) each.assertDone();
    return stage.turns;
  }

  close(): Promise<void> {
    return this.test.close();
  }
}
