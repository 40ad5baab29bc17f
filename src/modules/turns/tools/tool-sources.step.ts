import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, withTimeout } from '../../../core/clock/index.js';
import { Hooks } from '../../../core/hooks/index.js';
import { hasAtMost } from '../../../core/text/index.js';
import type { Tool, ToolContext, ToolSource } from '../../../providers/tools/index.js';
import type { Agent } from '../../agents/index.js';
import { argumentsValidator } from './action-arguments.js';
import { TurnComponents, type Component, type ComponentOwner } from '../turn-components.js';

const LIMIT_MS = 2000;
const MAX_TOOLS = 100;
const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_SCHEMA_LENGTH = 100_000;
const MAX_CACHED_SCHEMAS = 1000;

/** Calls the tool sources concurrently; one that fails or exceeds the time limit is omitted. */
@Injectable()
export class ToolSourcesStep implements OnModuleInit {
  /** Schemas by their JSON text: sources create new objects for each turn, and compiling a schema is slow. */
  private readonly schemas = new Map<string, object>();

  constructor(
    private readonly components: TurnComponents,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {}

  onModuleInit(): void {
    for (const source of this.hooks.of('toolSources')) {
      this.components.register(source.name, { toolSources: [source], appliesTo: () => true });
    }
  }

  /** @throws only the reason of the context's signal */
  async find(context: ToolContext<Agent>): Promise<Component<Tool, ComponentOwner>[]> {
    const sources = this.components.toolSourcesOf(context.agent);
    return (await Promise.all(sources.map((source) => this.ask(source, context)))).flat();
  }

  private async ask(
    source: Component<ToolSource<Agent>, ComponentOwner>,
    context: ToolContext<Agent>,
  ): Promise<Component<Tool, ComponentOwner>[]> {
    const { definition, owner, set } = source;
    try {
      const found = await withTimeout(this.clock, LIMIT_MS, (signal) => definition.tools({ ...context, signal }), {
        signal: context.signal,
      });
      if (found.length > MAX_TOOLS) {
        this.report(source, new Error(`it offers ${found.length} tools; the first ${MAX_TOOLS} are used`));
      }
      return found.slice(0, MAX_TOOLS).flatMap((tool) => {
        try {
          return [{ definition: this.checked(tool), owner, set }];
        } catch (error) {
          this.report(source, error);
          return [];
        }
      });
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      this.report(source, error);
      return [];
    }
  }

  /** @throws Error for an invalid tool */
  private checked(tool: Tool): Tool {
    const { name, description, parameters } = tool;
    if (typeof name !== 'string' || name === '' || !hasAtMost(name, MAX_NAME_LENGTH)) {
      throw new Error(`a tool needs a name of 1 to ${MAX_NAME_LENGTH} characters`);
    }
    if (typeof description !== 'string' || !hasAtMost(description, MAX_DESCRIPTION_LENGTH)) {
      throw new Error(`the tool ${name} needs a description of at most ${MAX_DESCRIPTION_LENGTH} characters`);
    }
    const schema = parameters && this.cached(name, parameters);
    try {
      argumentsValidator(schema);
    } catch (error) {
      throw new Error(`the tool ${name} is not valid: its parameters ${(error as Error).message}`, { cause: error });
    }
    return { ...tool, parameters: schema };
  }

  private cached(name: string, parameters: NonNullable<Tool['parameters']>): NonNullable<Tool['parameters']> {
    if ('~standard' in parameters) return parameters;
    const text = JSON.stringify(parameters);
    if (!hasAtMost(text, MAX_SCHEMA_LENGTH)) {
      throw new Error(`the parameters of the tool ${name} have more than ${MAX_SCHEMA_LENGTH} characters`);
    }
    const schema = this.schemas.get(text) ?? (JSON.parse(text) as object);
    this.schemas.delete(text);
    this.schemas.set(text, schema);
    for (const oldest of this.schemas.keys()) {
      if (this.schemas.size <= MAX_CACHED_SCHEMAS) break;
      this.schemas.delete(oldest);
    }
    return schema;
  }

  private report(source: Component<ToolSource<Agent>, ComponentOwner>, error: unknown): void {
    this.components.report('tool source', source, error);
  }
}
