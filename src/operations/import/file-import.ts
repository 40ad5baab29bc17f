import type { INestApplicationContext } from '@nestjs/common';
import { basename } from 'node:path';
import { AppError } from '../../core/errors/index.js';
import { isUuid, userIdOf } from '../../core/ids/index.js';
import { AgentsService, type Agent } from '../../modules/agents/index.js';
import { UserIds } from '../../modules/messaging/index.js';
import { AgentWriter, isCharacter } from './agent-writer.js';
import { cardAgent, isCharacterCard } from './character-card.js';
import { chatGptConversation, isChatGptConversation } from './chatgpt.js';
import { claudeConversation, isClaudeConversation, otherClaudeEntry } from './claude.js';
import { ConversationWriter, type Person } from './conversation-writer.js';
import { documentsOf, filesAt, UnreadableFile, type Document } from './documents.js';
import { isObject, label, type ForeignAgent, type ForeignConversation } from './foreign.js';
import { isLettaFile, lettaAgents } from './letta.js';
import type { ImportReport } from './report.js';

export interface FileImportOptions {
  readonly report: ImportReport;
  /** Id or name of the agent that conversations go to. */
  readonly agent?: string;
  /** Id or name of the user whose conversations they are. */
  readonly user?: string;
  /** Called with a line about what is being read. */
  readonly progress: (line: string) => void;
}

/** It is not clear whose the conversations are. */
class NoAgent extends Error {}

/** Whether an error ends the import with a sentence for the operator. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof NoAgent || error instanceof UnreadableFile;
}

const PROGRESS = 100;

/** Takes agents and conversations out of files of other programs. */
export class FileImport {
  private readonly agents: AgentsService;
  private readonly agentWriter: AgentWriter;
  private readonly conversationWriter: ConversationWriter;
  private readonly person: Person;
  private conversations = 0;

  constructor(
    app: INestApplicationContext,
    private readonly options: FileImportOptions,
  ) {
    this.agents = app.get(AgentsService, { strict: false });
    this.agentWriter = new AgentWriter(app, options.report);
    this.conversationWriter = new ConversationWriter(app, options.report);
    const { user } = options;
    // Without a name, all imports are of one person: the operator.
    this.person =
      user === undefined
        ? { id: app.get(UserIds, { strict: false }).fromPlatform('import', 'operator'), name: null }
        : { id: userIdOf(user), name: isUuid(user) ? null : user };
    if (this.agents.find(this.person.id)) throw new NoAgent('--user must name a user, not an agent.');
  }

  /**
   * Imports a file, or what a folder holds. A document that cannot be taken leaves the others; the report names it with the reason.
   *
   * @throws NoAgent at the first conversation, before anything of it is stored; UnreadableFile for a path that does not exist
   */
  async run(path: string): Promise<void> {
    const { report, progress } = this.options;
    const { files, others } = await filesAt(path);
    for (const other of others) report.leave(`${label(other)}: a file of another kind`);
    for (const file of files) {
      progress(label(basename(file)));
      try {
        for await (const document of documentsOf(file, (what) => report.leave(what))) await this.take(document);
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        report.fail(error.message);
      }
    }
  }

  private async take({ value, place }: Document): Promise<void> {
    const { report } = this.options;
    try {
      if (isChatGptConversation(value)) await this.takeConversation(() => chatGptConversation(value, report));
      else if (isClaudeConversation(value)) await this.takeConversation(() => claudeConversation(value, report));
      else if (isCharacterCard(value)) await this.takeAgent(cardAgent(value, report), place);
      else if (isLettaFile(value)) for (const agent of lettaAgents(value, report)) await this.takeAgent(agent, place);
      else if (isCharacter(value)) await this.takeAgent({ character: value, format: 'character file' }, place);
      else if (isObject(value) && Array.isArray(value['conversations'])) await this.takeAll(value['conversations'], place);
      else report.leave(otherClaudeEntry(value) ?? `${place.replace(/, entry \d+$/, '')}: nothing that Parley knows`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report.fail(error.details.startsWith(place) ? error.details : `${place}: ${error.message} ${error.details}`);
    }
  }

  private async takeAll(values: readonly unknown[], place: string): Promise<void> {
    for (const [index, value] of values.entries()) await this.take({ value, place: `${place}, entry ${index + 1}` });
  }

  private async takeAgent(foreign: ForeignAgent, place: string): Promise<void> {
    const agent = await this.agentWriter.store(foreign, place);
    if (foreign.conversation) await this.conversationWriter.store(foreign.conversation, agent, this.person);
  }

  /** @param read not called before it is clear which agent gets the conversation */
  private async takeConversation(read: () => ForeignConversation): Promise<void> {
    const agent = this.agent();
    await this.conversationWriter.store(read(), agent, this.person);
    this.conversations += 1;
    if (this.conversations % PROGRESS === 0) this.options.progress(`conversations: ${this.conversations}`);
  }

  private agent(): Agent {
    const { agent: wanted } = this.options;
    const all = this.agents.list();
    const names = all.map(({ name }) => label(name)).join(', ');
    if (wanted === undefined) {
      const [only, ...more] = all;
      if (only && more.length === 0) return only;
      if (!only) throw new NoAgent('There is no agent that conversations can go to. Create one, and name it: --agent NAME');
      throw new NoAgent(`Name the agent that the conversations go to: --agent NAME. The agents are ${names}.`);
    }
    const found = all.filter(({ id, name }) => id === wanted.toLowerCase() || name.toLowerCase() === wanted.trim().toLowerCase());
    if (found.length === 1) return found[0]!;
    throw new NoAgent(`${found.length === 0 ? 'No agent is' : 'Several agents are'} called ${label(wanted)}. The agents are ${names}.`);
  }
}
