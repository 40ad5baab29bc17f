/** A present fault that an operator can do something about. */
export interface Problem {
  readonly kind: 'plugin' | 'component' | 'deliveries' | 'turns' | 'model' | 'storage' | 'backup' | 'character' | 'fault';
  /** Name of the plugin, agent or model that is concerned, the address of the store, the place of the backups, the character file, or the kind of a fault. */
  readonly subject: string;
  /** One sentence. */
  readonly message: string;
  /** The latest reason, or what to do. */
  readonly details: string;
  /** Number of failures. */
  readonly count: number;
  /** Time of the latest failure, epoch ms; null when it is not known. */
  readonly at: number | null;
  readonly plugin?: string;
  readonly agentId?: string;
}

/** A module's part of `GET /api/server/problems`; a class of the hook kind `problemSources`. */
export interface ProblemSource {
  /** Called for each request. Reads a bounded number of rows. */
  problems(): Promise<readonly Problem[]>;
}

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    problemSources: ProblemSource;
  }
}
