import { Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../../../core/clock/index.js';
import type { AgentRuntime, Memory, Provider, ProviderResult, State } from '../../../plugin-sdk/index.js';
import type { Agent } from '../../agents/index.js';
import { describeUnreadKeys } from '../tools/result-keys.js';
import { TurnComponents, type Component } from '../turn-components.js';
import type { TurnTrace } from '../turn-trace.js';

const LIMIT_MS = 1000;
const RESULT_KEYS = ['text', 'values', 'data'];

export interface ProviderSelection {
  /** Names of providers to include even if they are dynamic or private. */
  readonly include?: readonly string[] | null;
  /** Whether to use only the included providers. */
  readonly only?: boolean;
}

/** Calls the providers concurrently; one that fails or exceeds the time limit is omitted. */
@Injectable()
export class ProvidersStep {
  constructor(
    private readonly components: TurnComponents,
    private readonly clock: Clock,
  ) {}

  /** @param trace receives a stage for each provider */
  async compose(agent: Agent, message: Memory, signal: AbortSignal, wanted: ProviderSelection = {}, trace?: TurnTrace): Promise<State> {
    const asked = this.components
      .providersOf(agent)
      .filter(({ definition }) => isSelected(definition, wanted))
      .sort((a, b) => (a.definition.position ?? 0) - (b.definition.position ?? 0));
    if (asked.length === 0) return { values: {}, data: { providers: {} }, text: '' };
    const results = await Promise.all(asked.map((provider) => this.ask(provider, agent, message, signal, trace)));
    const found = asked.flatMap(({ definition }, index) => {
      const result = results[index];
      return result ? [{ name: definition.name, ...result }] : [];
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
    trace?: TurnTrace,
  ): Promise<ProviderResult | undefined> {
    const { definition, set } = provider;
    let runtime: AgentRuntime | undefined;
    try {
      const ask = async (own: AbortSignal): Promise<ProviderResult | null | undefined> => {
        runtime = set.runtime(agent, own);
        const said = await definition.get(runtime, message, { values: {}, data: { providers: {} }, text: '' });
        set.onAsked?.(`provider ${definition.name}`, runtime, hasContent(said));
        return said;
      };
      const asking = (): Promise<ProviderResult | null | undefined> => withTimeout(this.clock, LIMIT_MS, ask, { signal });
      const result = await (trace ? trace.time(trace.begin('provider', definition.name), asking) : asking());
      if (typeof result !== 'object' || result === null) return undefined;
      const unread = describeUnreadKeys(result, RESULT_KEYS);
      if (unread !== undefined) this.components.report('provider', provider, unread, runtime);
      const { text, values, data } = result;
      return { text: typeof text === 'string' ? text : undefined, values, data };
    } catch (error) {
      if (!signal.aborted) this.components.report('provider', provider, error, runtime);
      return undefined;
    }
  }
}

/** Names of the providers that returned content. */
export function contributingProviders(state: State): string[] {
  return Object.keys(state.data['providers'] as object);
}

function hasContent(said: ProviderResult | null | undefined): boolean {
  return Object.values(said ?? {}).some(
    (part) => part !== '' && (typeof part !== 'object' || Object.keys((part as object | null) ?? {}).length > 0),
  );
}

function isSelected(provider: Provider, { include, only }: ProviderSelection): boolean {
  if (include?.includes(provider.name)) return true;
  return only !== true && provider.dynamic !== true && provider.private !== true;
}
