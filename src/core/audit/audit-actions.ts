/** Actions of a module that the audit log has, by name (`noun.verb`), each with one sentence for the reference. */
export type AuditDefinitions = Readonly<Record<string, string>>;

/** Actions of all modules. A module adds its own by declaration merging, and lists them in `audit` of its descriptor. */
export interface AuditActions {}

export type AuditAction = keyof AuditActions;

const actions = new Map<string, string>();

/** @throws Error when two modules define the same action */
export function registerAuditActions(definitions: AuditDefinitions): void {
  for (const [action, about] of Object.entries(definitions)) {
    if (actions.has(action)) throw new Error(`the action ${action} of the audit log is defined twice`);
    actions.set(action, about);
  }
}

/** The names of all actions, in the order of the modules. */
export function auditActions(): string[] {
  return [...actions.keys()];
}
