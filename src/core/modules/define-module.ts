import type { DynamicModule, Type } from '@nestjs/common';
import { registerAuditActions, type AuditDefinitions } from '../audit/index.js';
import { registerSettings, type Settings } from '../config/index.js';
import type { FileHashColumn, Schema } from '../database/index.js';
import { registerErrors, type ErrorDefinitions } from '../errors/index.js';
import { registerHooks, type HookClasses } from '../hooks/index.js';
import type { Metric } from '../telemetry/index.js';
import { registerEvents, type EventDefinitions, type JournalPayloads } from '../journal/events.js';

/**
 * Description of a module for the rest of the program. Core collects the descriptors and derives from them the schema, the configuration,
 * the error codes, the journal events and the reference documents.
 */
export interface ModuleDescriptor {
  /** Name of the module's folder. */
  readonly name: string;
  /** One sentence for the reference documents. */
  readonly about: string;
  readonly module: Type | DynamicModule;
  /** Tables of the module. A test compares them with the migrations. */
  readonly entities?: Schema['entities'];
  /** All migrations run in the order of their timestamps. A published migration must not change. */
  readonly migrations?: Schema['migrations'];
  /** Columns of its tables that refer to stored files. The verification of a backup looks for these files. */
  readonly fileHashes?: readonly FileHashColumn[];
  /** Environment variables. Their values are in `Config`, by declaration merging. */
  readonly settings?: Settings;
  /** Error codes for clients. They are in `ErrorCodes`, by declaration merging. */
  readonly errors?: ErrorDefinitions;
  /** Types of journal entries and their presentation. Their payloads are in `JournalPayloads`, by declaration merging. */
  readonly events?: Partial<EventDefinitions<JournalPayloads>>;
  /** Actions for the audit log. They are in `AuditActions`, by declaration merging. */
  readonly audit?: AuditDefinitions;
  /** Metrics that the module defines with `meter`, for the reference. */
  readonly metrics?: Readonly<Record<string, Metric>>;
  /** Providers of the module that implement hooks, by kind (`HookKinds`). */
  readonly hooks?: HookClasses;
  /** Tags of the OpenAPI document, and their paths. */
  readonly tags?: readonly ApiTag[];
}

/** A tag of the OpenAPI document. */
export interface ApiTag {
  readonly name: string;
  readonly about: string;
  /** Paths of its operations, with parameters as `{agentId}`. The longest match of all tags decides. */
  readonly paths: readonly RegExp[];
}

/**
 * Registers a module's settings, errors, events, audited actions and hooks. Call it once, at the top level of `<name>.module.ts`.
 *
 * @throws Error when two modules define the same setting, code, event or action
 */
export function defineModule(descriptor: ModuleDescriptor): ModuleDescriptor {
  registerSettings(descriptor.settings ?? {});
  registerErrors(descriptor.errors ?? {});
  registerEvents(descriptor.events ?? {});
  registerAuditActions(descriptor.audit ?? {});
  registerHooks(descriptor.hooks ?? {});
  return descriptor;
}

/** The tables and migrations of all modules. */
export function schemaOf(modules: readonly Pick<ModuleDescriptor, 'entities' | 'migrations' | 'fileHashes'>[]): Schema {
  return {
    entities: modules.flatMap(({ entities }) => entities ?? []),
    migrations: modules.flatMap(({ migrations }) => migrations ?? []),
    fileHashes: modules.flatMap(({ fileHashes }) => fileHashes ?? []),
  };
}
