import type { INestApplicationContext } from '@nestjs/common';
import { idFromText } from '../../core/ids/index.js';
import { AgentLifecycle, AgentsService, parseForeignCharacter, SERVICE_ADDRESS_SETTINGS, type Agent } from '../../modules/agents/index.js';
import { isObject, label, listOf, objectOf, type Fields, type ForeignAgent } from './foreign.js';
import type { ImportReport } from './report.js';

const MAX_WARNINGS = 20;

/** Creates agents from files of other programs. */
export class AgentWriter {
  private readonly agents: AgentsService;
  private readonly lifecycle: AgentLifecycle;

  constructor(
    app: INestApplicationContext,
    private readonly report: ImportReport,
  ) {
    this.agents = app.get(AgentsService, { strict: false });
    this.lifecycle = app.get(AgentLifecycle, { strict: false });
  }

  /**
   * Creates and starts an agent; one that exists stays as it is. Plugins and addresses of services are switched off: they are kept in
   * `settings.imported`.
   *
   * @param place the file, for messages
   * @throws AppError CHARACTER_INVALID, or CONFLICT for a name that another agent has
   */
  async store({ character: given, format }: ForeignAgent, place: string): Promise<Agent> {
    const { character, secrets, warnings, unused } = parseForeignCharacter(given, place);
    const who = label(character.name);
    for (const warning of warnings.slice(0, MAX_WARNINGS)) this.report.leave(`${who}: ${warning}`);
    this.report.leave(`${who}: more fields that were changed or left out`, Math.max(0, warnings.length - MAX_WARNINGS));
    if (unused.length > 0) this.report.leave(`${who}: ${unused.join(', ')}, which agents do not have`);
    const own = this.withoutAddresses(secrets?.own ?? {}, who);
    const inSettings = this.withoutAddresses(secrets?.settings ?? {}, who);
    const { plugins = [], settings = {}, ...rest } = character;
    for (const plugin of plugins) this.report.switchOff(`${who}: the plugin ${label(plugin)}`);
    const known = this.agents.find(character.id ?? idFromText(character.name));
    const imported = { ...objectOf(settings['imported']), format, ...(plugins.length > 0 && { plugins }) };
    const agent = await this.lifecycle.create({
      ...rest,
      settings: { ...this.withoutAddresses(settings, who), imported, ...(Object.keys(inSettings).length > 0 && { secrets: inSettings }) },
      ...(Object.keys(own).length > 0 && { secrets: own }),
    });
    if (known) this.report.note(`${who} exists already (${known.status}) and stays as it is. To take it anew, delete it before.`);
    else await this.lifecycle.start(agent.id);
    this.report.count('agents', 1, known ? 0 : 1, who);
    return this.agents.require(agent.id);
  }

  /** Addresses would send the texts of users to a service that the operator has not chosen. */
  private withoutAddresses(settings: Fields, who: string): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(settings).filter(([key, value]) => {
        const isAddress = SERVICE_ADDRESS_SETTINGS.includes(key) || /^(?:mcp|mcpServers|webhooks?)$/i.test(key);
        if (isAddress && value !== null && value !== '') this.report.switchOff(`${who}: the setting ${key}`);
        return !isAddress;
      }),
    );
  }
}

/** Whether a value is a character of elizaOS or of Parley. */
export function isCharacter(value: unknown): value is Fields {
  const inside = isObject(value) && !('name' in value) ? (value['character'] ?? value['agent'] ?? value['data'] ?? value) : value;
  if (!isObject(inside) || typeof inside['name'] !== 'string') return false;
  return (
    ['bio', 'lore', 'system', 'messageExamples', 'adjectives', 'modelProvider', 'clients', 'plugins'].some((field) => field in inside) ||
    listOf(inside['topics']).length > 0
  );
}
