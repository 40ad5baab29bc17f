import { arch, platform, release } from 'node:os';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, withTimeout } from '../../core/clock/index.js';
import { CONFIG, publicSettings, type Config } from '../../core/config/index.js';
import { currentRequestId } from '../../core/context/request-context.js';
import { engineOf } from '../../core/database/index.js';
import { AppError, errorMessage } from '../../core/errors/index.js';
import {
  faultName,
  faultsFolder,
  faultTime,
  listFaults,
  readFault,
  storeFault,
  storeFaultNow,
  type FaultKind,
} from '../../core/faults/index.js';
import { Hooks } from '../../core/hooks/index.js';
import { Log, onErrorLine, recentLines, redact, redactText, type ErrorLine, type LogLine } from '../../core/logging/index.js';
import { cutText } from '../../core/text/index.js';

/** The same fault leaves no second record within this time. */
const REPEAT_MS = 3_600_000;
/** For how long faults are listed among the problems. */
export const SHOWN_MS = 86_400_000;
const MAX_KNOWN = 200;
const EVIDENCE_TIMEOUT_MS = 2000;
const MAX_LOG_CHARACTERS = 150_000;
const MAX_LINE_CHARACTERS = 10_000;
const MAX_EVIDENCE_CHARACTERS = 30_000;
const MAX_TITLE_CHARACTERS = 500;
/** Errors of services that Parley calls, and of plugins: the problems and the log have them. */
const PARTS_OF_OTHERS = new Set(['models', 'plugins', 'nest']);

/** A fault that is being recorded. */
export interface Fault {
  readonly kind: FaultKind;
  /** One line. */
  readonly title: string;
  /** The same for faults with the same cause. */
  readonly signature: string;
  readonly error?: unknown;
  readonly requestId?: string;
  /** JSON data of the kind. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A kind of fault that has happened in this installation. */
export interface KnownFault {
  readonly kind: FaultKind;
  readonly title: string;
  /** Name of the newest record. */
  readonly record: string;
  /** When that was made, epoch ms. */
  readonly recordedAt: number;
  /** When the fault happened last, epoch ms. */
  lastAt: number;
  count: number;
}

/**
 * Leaves one file for each fault of the server in DATA_DIR/faults: recent log lines, those of the request first, the evidence of modules
 * (running turns, journal positions), the configuration without secrets and figures of the heap. At most about 250 kB each and FAULT_RECORDS
 * files; the same fault leaves one an hour.
 */
@Injectable()
export class FaultRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log('diagnostics');
  private readonly known = new Map<string, KnownFault>();
  /** Records are written one after another. */
  private written: Promise<void> = Promise.resolve();
  private ignoreErrors: () => void = () => undefined;

  constructor(
    private readonly hooks: Hooks,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.faultRecords === 0) return;
    this.ignoreErrors = onErrorLine((line) => this.onError(line));
    this.written = this.remember().catch((error: unknown) => {
      this.log.warn('the records of faults could not be read', { reason: errorMessage(error) });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.ignoreErrors();
    await this.written;
  }

  /** The faults since the start of the process, and those of the day before it that left a record, by cause. */
  faults(): readonly KnownFault[] {
    return [...this.known.values()];
  }

  /** Reads the records of the last day, so that a restart hides no fault. */
  private async remember(): Promise<void> {
    const folder = faultsFolder(this.config.dataDir);
    const since = this.clock.now() - SHOWN_MS;
    for (const record of await listFaults(folder)) {
      const at = faultTime(record);
      if (at < since) continue;
      try {
        const text = await readFault(folder, record);
        const { kind, title, signature } = JSON.parse(text) as Pick<Fault, 'kind' | 'title' | 'signature'>;
        const known = this.known.get(signature);
        if (known?.record === record) continue;
        if (known && known.recordedAt >= at) known.count += 1;
        else this.known.set(signature, { kind, title, record, recordedAt: at, lastAt: at, count: (known?.count ?? 0) + 1 });
      } catch (error) {
        this.log.warn('a record of a fault could not be read', { record, reason: errorMessage(error) });
      }
    }
  }

  /** Records a fault in the background, unless the same one was recorded within the hour. Throws nothing: the caller has failed already. */
  record(fault: Fault): void {
    const { title, requestId = currentRequestId() } = fault;
    const name = this.begin(fault);
    if (name === undefined) return;
    const base = this.present({ ...fault, requestId });
    if (!base) return;
    this.written = this.written
      .then(async () => {
        const text = JSON.stringify({ ...base, evidence: await this.evidence(requestId) }, null, 2);
        await storeFault(faultsFolder(this.config.dataDir), name, text, this.config.faultRecords);
        this.log.info('a fault was recorded; "npx parley-server report" packs the records', { record: name, fault: title });
      })
      .catch((error: unknown) => this.failed(title, error));
  }

  /** Records a fault before this call returns, for a process that is about to end; without evidence that would have to be waited for. */
  recordNow(fault: Fault): void {
    const name = this.begin(fault);
    const base = name === undefined ? undefined : this.present(fault);
    if (name === undefined || !base) return;
    try {
      storeFaultNow(faultsFolder(this.config.dataDir), name, JSON.stringify(base, null, 2));
    } catch (error) {
      this.failed(fault.title, error);
    }
  }

  private failed(title: string, error: unknown): void {
    this.log.warn('a fault could not be recorded', { fault: title, reason: errorMessage(error) });
  }

  private onError({ part, message, error, fields }: ErrorLine): void {
    const code = error instanceof AppError ? error.code : fields['code'];
    if (PARTS_OF_OTHERS.has(part) || (typeof code === 'string' && /^(MODEL_|SERVER_STOPPING$)/.test(code))) return;
    if (typeof code === 'string' && code.startsWith('STORAGE_')) {
      // Everything that meets an outage logs it.
      const title = `storage: ${error instanceof AppError ? error.message : message}`;
      this.record({ kind: 'error', title, signature: code, error, details: { part, ...fields } });
      return;
    }
    const cause = error instanceof Error ? `${error.name} ${cutText(error.message, 100)}` : '';
    const place = placeOf(fields);
    this.record({
      kind: 'error',
      title: `${part}: ${place === '' ? '' : `${place}: `}${message}${cause === '' ? '' : ` (${cause})`}`,
      // Ids and figures differ between faults with the same cause.
      signature: `${part} ${place} ${message} ${cause}`.replace(/[0-9a-f-]{8,}|\d+/gi, '#'),
      error,
      details: { part, ...fields },
    });
  }

  /** Counts a fault. @returns the name of its record; undefined when none is needed */
  private begin({ kind, title, signature: text }: Fault): string | undefined {
    if (this.config.faultRecords === 0) return undefined;
    const now = this.clock.now();
    const signature = shortened(text);
    const before = this.known.get(signature);
    if (before && now - before.recordedAt < REPEAT_MS) {
      before.count += 1;
      before.lastAt = now;
      return undefined;
    }
    const taken = new Set([...this.known.values()].map(({ record }) => record));
    let at = now;
    while (taken.has(faultName(kind, at))) at += 1;
    const record = faultName(kind, at);
    this.known.delete(signature);
    this.known.set(signature, {
      kind,
      title: shortened(title),
      record,
      recordedAt: now,
      lastAt: now,
      count: (before?.count ?? 0) + 1,
    });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MAX_KNOWN) break;
      this.known.delete(oldest);
    }
    return record;
  }

  /** The state at this moment; undefined when it cannot be read. */
  private present(fault: Fault): Readonly<Record<string, unknown>> | undefined {
    try {
      return this.read(fault);
    } catch (error) {
      this.failed(fault.title, error);
      return undefined;
    }
  }

  private read({ kind, title, signature, error, requestId, details = {} }: Fault): Readonly<Record<string, unknown>> {
    const now = this.clock.now();
    const lines = [...recentLines.newestFirst()];
    return {
      kind,
      title: shortened(title),
      signature: shortened(signature),
      at: new Date(now).toISOString(),
      ...(requestId === undefined ? {} : { requestId }),
      error: bounded(redact(error ?? null)),
      details: bounded(redact(details)),
      program: {
        version: this.config.version,
        node: process.version,
        system: `${platform()} ${release()} ${arch()}`,
        database: engineOf(this.config.databaseUrl),
        uptimeSeconds: Math.round(process.uptime()),
      },
      memory: ifReadable(() => ({ ...process.memoryUsage(), limit: process.constrainedMemory() })),
      heap: { ...getHeapStatistics(), spaces: getHeapSpaceStatistics() },
      resources: counted(process.getActiveResourcesInfo()),
      configuration: redact(publicSettings(this.config)),
      requestLog: requestId === undefined ? [] : newest(lines.filter((line) => line['requestId'] === requestId)),
      log: newest(lines),
    };
  }

  private async evidence(requestId: string | undefined): Promise<Record<string, unknown>> {
    const found = this.hooks.of('faultEvidence').map(async (source): Promise<[string, unknown]> => {
      try {
        return [source.name, bounded(redact(await withTimeout(this.clock, EVIDENCE_TIMEOUT_MS, () => source.collect(requestId))))];
      } catch (error) {
        return [source.name, { failed: redact(errorMessage(error)) }];
      }
    });
    return Object.fromEntries(await Promise.all(found));
  }
}

/** Where an error happened: method and path of a request, or the event of a socket. */
function placeOf({ method, path, event }: Readonly<Record<string, unknown>>): string {
  if (typeof method === 'string' && typeof path === 'string') return `${method} ${path}`;
  return typeof event === 'string' ? `event ${event}` : '';
}

function shortened(text: string): string {
  return cutText(redactText(text), MAX_TITLE_CHARACTERS);
}

/** The newest of these lines that fit, oldest first. */
function newest(newestFirst: readonly LogLine[]): unknown[] {
  const lines: unknown[] = [];
  let characters = 0;
  for (const line of newestFirst) {
    const { length } = JSON.stringify(line);
    const shown =
      length > MAX_LINE_CHARACTERS
        ? { time: line.time, level: line.level, part: line.part, msg: cutText(line.msg, 1000), cut: true }
        : line;
    characters += Math.min(length, MAX_LINE_CHARACTERS);
    if (characters > MAX_LOG_CHARACTERS / 2) break;
    lines.push(shown);
  }
  return lines.reverse();
}

function bounded(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= MAX_EVIDENCE_CHARACTERS ? value : { cut: cutText(text, MAX_EVIDENCE_CHARACTERS) };
}

/** Out of file descriptors, the process cannot read what the system knows of it. */
function ifReadable(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return { failed: errorMessage(error) };
  }
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
