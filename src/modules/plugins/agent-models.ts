import { Injectable } from '@nestjs/common';
import { Tracer } from '../../core/telemetry/index.js';
import { embeddingsSpan, complete, ModelRegistry } from '../../providers/models/index.js';
import { AgentsService, type Agent } from '../agents/index.js';

/** A plugin's handler for a model type. */
export interface PluginModel {
  readonly type: string;
  /** The handler with the highest priority is used; among equals the first. */
  readonly priority: number;
  /** Absent: used for every agent. */
  readonly agentId?: string;
  readonly call: (agent: Agent, params: unknown, signal: AbortSignal) => unknown;
}

const TEXT = ['TEXT_SMALL', 'TEXT_LARGE', 'REASONING_SMALL', 'REASONING_LARGE', 'TEXT_COMPLETION'];

/** Implements `useModel`: handlers of plugins first, then the server's own models for text and embeddings (contract 4.6). */
@Injectable()
export class AgentModels {
  private readonly registered = new Set<PluginModel>();

  constructor(
    private readonly models: ModelRegistry,
    private readonly agents: AgentsService,
    private readonly tracer: Tracer,
  ) {}

  register(offer: PluginModel): () => void {
    this.registered.add(offer);
    return () => this.registered.delete(offer);
  }

  /** Whether the type has a handler. */
  has(type: string, agentId: string): boolean {
    const own = TEXT.includes(type) || (type === 'TEXT_EMBEDDING' && this.models.embeddings() !== undefined);
    return own || this.modelsOf(type, agentId).length > 0;
  }

  /** @throws Error when the type has no handler; errors of the model */
  async invoke(agent: Agent, type: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const [best] = this.modelsOf(type, agent.id).sort((a, b) => b.priority - a.priority);
    if (best) return best.call(agent, params, signal);
    if (TEXT.includes(type)) return this.text(agent, params, signal);
    if (type === 'TEXT_EMBEDDING') return this.embedding(agent, params, signal);
    throw new Error(`No handler found for delegate type: ${type}`);
  }

  private modelsOf(type: string, agentId: string): PluginModel[] {
    return [...this.registered].filter((each) => each.type === type && (each.agentId ?? agentId) === agentId);
  }

  private async text(agent: Agent, params: unknown, signal: AbortSignal): Promise<string> {
    const { prompt, maxTokens, temperature, onStreamChunk } = optionsOf(params);
    if (typeof prompt !== 'string') throw new Error('a text model needs {prompt}, a string');
    const request = {
      messages: [{ role: 'user' as const, content: prompt }],
      caller: agent.id,
      grounding: { agentName: agent.name, facts: [agent.character.bio ?? []].flat(), examples: [], memories: [] },
      temperature: typeof temperature === 'number' ? temperature : undefined,
      maxOutputTokens: typeof maxTokens === 'number' ? maxTokens : undefined,
    };
    const onDelta = typeof onStreamChunk === 'function' ? (onStreamChunk as (piece: string) => unknown) : undefined;
    const model = this.models.chat(this.agents.modelChoice(agent.id));
    return (await complete(model, request, { signal, tracer: this.tracer, onDelta })).text;
  }

  /** For null or an empty text, returns a zero vector that shows the dimension (contract 4.6). */
  private async embedding(agent: Agent, params: unknown, signal: AbortSignal): Promise<number[]> {
    const model = this.models.embeddings();
    if (!model) throw new Error('No handler found for delegate type: TEXT_EMBEDDING');
    const given = typeof params === 'string' ? params : optionsOf(params)['text'];
    const text = typeof given === 'string' ? given.trim() : '';
    if (text === '' && model.dimension !== undefined) return Array.from({ length: model.dimension }, () => 0);
    const { name, attributes } = embeddingsSpan(model);
    const options = { signal, caller: agent.id };
    const [vector] = await this.tracer.span(name, attributes, () => model.embed([text === '' ? 'probe' : text], options), {
      kind: 'client',
    });
    return text === '' ? Array.from(vector ?? [], () => 0) : [...(vector ?? [])];
  }
}

function optionsOf(params: unknown): Record<string, unknown> {
  return typeof params === 'string' ? { prompt: params } : { ...(params as object | null) };
}
