import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Clock } from '../core/clock/index.js';
import type { Config } from '../core/config/index.js';
import { engineOf } from '../core/database/index.js';
import { AppError } from '../core/errors/index.js';
import { ModelRegistry } from '../providers/models/index.js';
import { SpeechRegistry, type EngineInUse } from '../providers/speech/index.js';
import { AgentsService } from '../modules/agents/index.js';
import { Replies } from '../modules/messaging/index.js';
import { PluginHost } from '../modules/plugins/index.js';
import { Readiness } from '../modules/system/index.js';
import { TurnRunner } from '../modules/turns/index.js';
import { createApp } from './create-app.js';

const RESPONSE_GRACE_MS = 500;
/** Maximum number of agents in the banner. */
const MAX_LISTED_AGENTS = 20;

export interface RunningServer {
  readonly app: NestExpressApplication;
  /** Local address of the server. */
  readonly url: string;
  /**
   * Fails the readiness probe for DRAIN_MS, stops accepting requests, waits for running turns and for the turns of other processes that
   * clients wait for within the grace time, and closes sockets and the database.
   */
  stop(): Promise<void>;
  /** Ends the drain of `stop`. @returns false when there is none */
  skipDrain(): boolean;
}

/** @throws AppError CONFIG_INVALID when the server cannot listen on the address, and the errors of `createApp` */
export async function runServer(config: Config): Promise<RunningServer> {
  const app = await createApp(config);
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    const code = (error as { code?: string }).code ?? '';
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : code === 'EACCES' ? 'permission denied' : String(error);
    throw new AppError(
      'CONFIG_INVALID',
      `Cannot listen on ${config.host}:${config.port}: ${reason}.`,
      'Stop the program that uses the port, or set SERVER_PORT.',
      error,
    );
  }
  const { address, family, port } = app.getHttpServer().address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  let skip: (() => void) | undefined;
  const drain = async (): Promise<void> => {
    if (config.drainMs === 0) return;
    app.get(Readiness).startDraining();
    await Promise.race([elapsed(app, config.drainMs), new Promise<void>((resolve) => (skip = resolve))]);
    skip = undefined;
  };
  return {
    app,
    url: `http://${host}:${port}`,
    stop: () => drain().then(() => stop(app, config)),
    skipDrain: () => {
      skip?.();
      return skip !== undefined;
    },
  };
}

async function stop(app: NestExpressApplication, config: Config): Promise<void> {
  app.get(Readiness).startDraining();
  const replies = app.get(Replies);
  const closed = new Promise<void>((resolve) => app.getHttpServer().close(() => resolve()));
  // On PostgreSQL other processes reply to the messages whose turns do not run here.
  const graceOver = engineOf(config.databaseUrl) === 'postgres' ? elapsed(app, config.shutdownGraceMs) : Promise.resolve();
  await app.get(TurnRunner).drain(config.shutdownGraceMs);
  await Promise.race([closed, graceOver, replies.settled()]);
  // Clients that wait for a turn that has just ended get its response. Open streams and sockets do not end by themselves.
  await Promise.race([closed, elapsed(app, RESPONSE_GRACE_MS)]);
  if (replies.stop()) await Promise.race([closed, elapsed(app, RESPONSE_GRACE_MS)]);
  await app.close();
}

function elapsed(app: NestExpressApplication, ms: number): Promise<void> {
  return new Promise((resolve) => app.get(Clock).after(ms, resolve));
}

/** Summary that is printed at start. */
export function banner(server: RunningServer, config: Config): string {
  const agents = server.app.get(AgentsService).list();
  const { chat, embeddings } = server.app.get(ModelRegistry).describe();
  const model =
    chat.provider === 'offline'
      ? "none configured: the offline responder replies from each character's knowledge (set OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY or OLLAMA_MODEL)"
      : `${chat.provider} ${chat.model}`;
  const { synthesis, transcription } = server.app.get(SpeechRegistry).describe();
  return [
    `Parley ${config.version} listens on ${server.url}`,
    `data    ${config.databaseUrl.startsWith('sqlite:') ? config.databaseUrl : 'PostgreSQL'}`,
    `model   ${model}`,
    `recall  ${embeddings ? `${embeddings.provider} ${embeddings.model}` : 'by keywords only'}`,
    `speech  speaks: ${engineText(synthesis)}; listens: ${engineText(transcription)}`,
    ...pluginLines(server.app.get(PluginHost)),
    `agents${agents.length === 0 ? '  none (put a character file into CHARACTERS_DIR)' : ''}`,
    ...agents.slice(0, MAX_LISTED_AGENTS).map(({ name, id, status }) => `  ${name} (${status}) ${id}`),
    ...(agents.length > MAX_LISTED_AGENTS ? [`  and ${agents.length - MAX_LISTED_AGENTS} more`] : []),
    '',
  ].join('\n');
}

function pluginLines(host: PluginHost): string[] {
  const names = host.plugins().map(({ plugin }) => plugin.name);
  const failed = host.failed().map(({ name }) => name);
  if (names.length + failed.length === 0) return [];
  const reasons = failed.length === 0 ? '' : `; not loaded: ${failed.join(', ')} (see the log)`;
  return [`plugins ${names.length === 0 ? 'none' : names.join(', ')}${reasons}`];
}

function engineText(engine: EngineInUse | null): string {
  if (engine === null) return 'no';
  const { provider, engine: name, languages } = engine;
  return `${provider} ${name}${languages ? ` (${languages.join(', ')} only)` : ''}`;
}
