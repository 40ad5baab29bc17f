/** A module's part of the health report (`GET /api/server/health`); a class of the hook kind `healthChecks`. */
export interface HealthCheck {
  /** Key in the report's `checks`. */
  readonly name: string;
  /** Called for each report. Must not throw, wait or return secrets: the report is public. */
  report(): unknown;
}

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    healthChecks: HealthCheck;
  }
}
