import { Injectable } from '@nestjs/common';
import { Clock, limited } from '../../core/clock/index.js';
import type { AgentRuntime, Memory, Provider, ProviderResult, State } from '../../plugin-sdk/index.js';
import type { ChatRequest } from '../../providers/models/index.js';
import type { Agent } from '../agents/index.js';
import { TurnComponents, type Component } from './turn-components.js';

const LIMIT_MS = 1000;

export interface ProvidersWanted {
  /** Names of providers that are asked also when they are dynamic or private. */
  readonly include?: readonly string[] | null;
  /** Only the included ones. */
  readonly only?: boolean;
}

/** Asks the providers, all at the same time; one that fails or is late is left out. */
@Injectable()
export class ProvidersStep {
  constructor(
    private readonly components: TurnComponents,
    private readonly clock: Clock,
  ) {}

  async compose(agent: Agent, message: Memory, signal: AbortSignal, wanted: ProvidersWanted = {}): Promise<State> {
    const asked = this.components
      .providersOf(agent)
      .filter(({ it }) => isWanted(it, wanted))
      .sort((a, b) => (a.it.position ?? 0) - (b.it.position ?? 0));
    if (asked.length === 0) return { values: {}, data: { providers: {} }, text: '' };
    const results = await Promise.all(asked.map((provider) => this.ask(provider, agent, message, signal)));
    const found = asked.flatMap(({ it }, index) => {
      const result = results[index];
      return result ? [{ name: it.name, ...result }] : [];
    });
    const text = found
      .map((result) => result.text ?? '')
      .filter((part) => part !== '')
      .join('\n');
    return {
      values: { ...Object.fromEntries(found.flatMap(({ values }) => Object.entries(values ?? {}))), providers: text },
      data: { providers: Object.fromEntries(found.map(({ name, ...result }) => [name, result])) },
      text,
    };
  }

  private async ask(
    provider: Component<Provider>,
    agent: Agent,
    message: Memory,
    signal: AbortSignal,
  ): Promise<ProviderResult | undefined> {
    const { it, set } = provider;
    let runtime: AgentRuntime | undefined;
    try {
      const result = await limited(this.clock, LIMIT_MS, signal, async (own) => {
        runtime = set.runtime(agent, own);
        const said = await it.get(runtime, message, { values: {}, data: { providers: {} }, text: '' });
        set.asked?.(`provider ${it.name}`, runtime, isSomething(said));
        return said;
      });
      if (typeof result !== 'object' || result === null) return undefined;
      const { text, values, data } = result;
      return { text: typeof text === 'string' ? text : undefined, values, data };
    } catch (error) {
      if (!signal.aborted) this.components.report('provider', provider, error, runtime);
      return undefined;
    }
  }
}

/** Names of the providers that had something to say. */
export function providersIn(state: State): string[] {
  return Object.keys(state.data['providers'] as object);
}

/** The request with what the providers said, behind the character and before the conversation. */
export function withState(request: ChatRequest, { text }: State): ChatRequest {
  if (text === '') return request;
  const [system, ...conversation] = request.messages;
  const { grounding } = request;
  return {
    ...request,
    messages: [...(system ? [system] : []), { role: 'system', content: `# What is the case now\n${text}` }, ...conversation],
    grounding: { ...grounding, facts: [...grounding.facts, ...text.split('\n').filter((line) => line.trim() !== '')] },
  };
}

function isSomething(said: ProviderResult | null | undefined): boolean {
  return Object.values(said ?? {}).some(
    (part) => part !== '' && (typeof part !== 'object' || Object.keys((part as object | null) ?? {}).length > 0),
  );
}

function isWanted(provider: Provider, { include, only }: ProvidersWanted): boolean {
  if (include?.includes(provider.name)) return true;
  return only !== true && provider.dynamic !== true && provider.private !== true;
}
