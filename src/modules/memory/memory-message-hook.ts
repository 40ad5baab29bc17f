import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { Statement, Transaction } from '../../core/database/index.js';
import { type Channel, type Message, type MessageHook } from '../messaging/index.js';
import { memoryId } from './conversation-memory.js';
import { textOf } from './memory-json.js';
import { FactsRepository } from './repositories/facts.repository.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { MemoryVersionsRepository } from './repositories/memory-versions.repository.js';
import { RoomsRepository } from './repositories/rooms.repository.js';
import { SummariesRepository } from './repositories/summaries.repository.js';
import { VectorsRepository } from './vectors/vectors.repository.js';

/** Updates agents' memories when messages change. Only agents with a room for the channel have recorded its messages. */
@Injectable()
export class MemoryMessageHook implements MessageHook {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly rooms: RoomsRepository,
    private readonly vectors: VectorsRepository,
    private readonly versions: MemoryVersionsRepository,
    private readonly summaries: SummariesRepository,
    private readonly facts: FactsRepository,
    private readonly clock: Clock,
  ) {}

  /** Copies the new text to the memories, marks them for embedding, and forgets the facts that rest on the old text. */
  async onMessageEdited(message: Message, tx: Transaction, by: string): Promise<Statement[]> {
    const ids = new Map(
      (await this.rooms.agentsFollowing(tx, message.channelId)).map((agentId) => [memoryId(agentId, message.id), agentId]),
    );
    const rows = await this.memories.findAllIn(tx, [...ids.keys()]);
    const changed = rows.filter((row) => ids.get(row.id) === row.agentId && textOf(row.content) !== message.content);
    if (changed.length === 0) return [];
    const contents = new Map(changed.map(({ id, content }) => [id, { ...content, text: message.content }]));
    return [
      this.summaries.renew(contents.keys(), this.clock.now()),
      ...this.versions.keep(contents.keys(), by, this.clock.now()),
      this.memories.replaceContents(contents, message.vouched),
      this.vectors.deleteAll(contents.keys()),
      this.facts.forget(contents.keys()),
    ];
  }

  async onMessagesDeleted(channel: Channel, messageIds: readonly string[], tx: Transaction): Promise<Statement[]> {
    const agentIds = await this.rooms.agentsFollowing(tx, channel.id);
    const ids = new Map(agentIds.flatMap((agentId) => messageIds.map((messageId) => [memoryId(agentId, messageId), agentId] as const)));
    if (ids.size === 0) return [];
    const owners = await this.memories.agentIdsIn(tx, ids.keys());
    // Memory ids are computable, so another agent may have a memory with this id.
    const own = owners.filter(({ id, agentId }) => ids.get(id) === agentId).map(({ id }) => id);
    return own.length === 0 ? [] : [this.summaries.renew(own, this.clock.now()), this.memories.deleteAll(own)];
  }

  onChannelCleared(channel: Channel): Promise<Statement[]> {
    return Promise.resolve([this.summaries.deleteOfChannel(channel.id), this.memories.deleteOfChannel(channel.id)]);
  }

  onChannelDeleted(channelId: string): Statement[] {
    return [this.memories.deleteOfChannel(channelId), this.rooms.deleteOfChannel(channelId)];
  }

  onParticipantsLeft(channelId: string, entityIds: readonly string[]): Statement[] {
    return [this.rooms.removeFromChannel(channelId, entityIds)];
  }
}
