import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Socket } from 'socket.io';
import { AppError } from '../../core/errors/index.js';
import { hasAtMost } from '../../core/text/index.js';
import { LEVELS, ServerLogs, type LogEntry } from '../../modules/logs/index.js';

/** Log filters of a socket. */
interface LogFilters {
  /** Name of an agent, or `all`. */
  readonly agentName: string;
  /** Name of the minimum level, or `all`. */
  readonly level: string;
}

const EVERYTHING: LogFilters = { agentName: 'all', level: 'all' };
// Unknown levels match no line (contract 3.4).
const UNREACHABLE_LEVEL = 70;
// Slow clients lose lines, so that their backlog stays bounded.
const MAX_BUFFERED = 500;
const MAX_FILTER_LENGTH = 255;

/** Streams the server's log lines to subscribed sockets. */
@Injectable()
export class LogStreams implements BeforeApplicationShutdown {
  private readonly filters = new Map<Socket, LogFilters>();
  private stop: (() => void) | undefined;

  constructor(private readonly logs: ServerLogs) {}

  subscribe(socket: Socket): Record<string, unknown> {
    if (!this.filters.has(socket)) socket.once('disconnect', () => this.remove(socket));
    this.filters.set(socket, this.filters.get(socket) ?? EVERYTHING);
    this.stop ??= this.logs.listen((entry) => this.send(entry));
    const response = { subscribed: true, message: 'Successfully subscribed to log stream' };
    socket.emit('log_subscription_confirmed', response);
    return response;
  }

  unsubscribe(socket: Socket): Record<string, unknown> {
    this.remove(socket);
    const response = { subscribed: false, message: 'Successfully unsubscribed from log stream' };
    socket.emit('log_subscription_confirmed', response);
    return response;
  }

  /** @param change text fields that replace the current filters */
  filter(socket: Socket, change: Record<string, unknown>): Record<string, unknown> {
    const before = this.filters.get(socket);
    if (!before) {
      const response = { success: false, error: 'Not subscribed to log stream' };
      socket.emit('log_filters_updated', response);
      return response;
    }
    const { agentName, level } = change;
    for (const [field, value] of Object.entries({ agentName, level })) {
      if (value === undefined || value === null || typeof value === 'string') continue;
      throw new AppError('VALIDATION_ERROR', `${field} must be text`, 'Send { level: "warn", agentName: "all" }, or leave a field out.');
    }
    if ([agentName, level].some((text) => typeof text === 'string' && !hasAtMost(text, MAX_FILTER_LENGTH))) {
      throw new AppError(
        'VALIDATION_ERROR',
        `agentName and level must have at most ${MAX_FILTER_LENGTH} characters`,
        'Send the name of an agent, or all.',
      );
    }
    const filters = {
      agentName: typeof agentName === 'string' ? agentName : before.agentName,
      level: typeof level === 'string' ? level.toLowerCase() : before.level,
    };
    this.filters.set(socket, filters);
    const response = { success: true, filters };
    socket.emit('log_filters_updated', response);
    return response;
  }

  beforeApplicationShutdown(): void {
    this.stop?.();
    this.filters.clear();
  }

  private remove(socket: Socket): void {
    this.filters.delete(socket);
    if (this.filters.size > 0) return;
    this.stop?.();
    this.stop = undefined;
  }

  private send(entry: LogEntry): void {
    for (const [socket, { agentName, level }] of this.filters) {
      if (agentName !== 'all' && entry.agentName !== agentName) continue;
      if (level !== 'all' && entry.level < (Object.hasOwn(LEVELS, level) ? LEVELS[level as keyof typeof LEVELS] : UNREACHABLE_LEVEL)) {
        continue;
      }
      const { writeBuffer } = socket.conn as unknown as { writeBuffer: unknown[] };
      if (writeBuffer.length < MAX_BUFFERED) socket.emit('log_stream', { type: 'log_entry', payload: entry });
    }
  }
}
