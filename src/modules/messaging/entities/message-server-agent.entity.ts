import { Entity, ForeignKey, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { InstantColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import { MessageServerRow } from './message-server.entity.js';

/** Membership of an agent in a message server. Every agent without `leftAt` belongs to the default server, even without a row. */
@Entity('message_server_agents')
@Index('ix_message_server_agents_agent', ['agentId'])
export class MessageServerAgentRow {
  @PrimaryIdColumn({ name: 'server_id' })
  serverId!: string;

  @ManyToOne(() => MessageServerRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'server_id', foreignKeyConstraintName: 'fk_message_server_agents_server_id' })
  server?: Relation<MessageServerRow>;

  @ForeignKey('agents', { name: 'fk_message_server_agents_agent_id', onDelete: 'CASCADE' })
  @PrimaryIdColumn({ name: 'agent_id' })
  agentId!: string;

  @InstantColumn({ name: 'joined_at' })
  joinedAt!: number;

  @InstantColumn({ name: 'left_at', nullable: true })
  leftAt!: number | null;
}
