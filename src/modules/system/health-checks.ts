import { Injectable } from '@nestjs/common';

/** What modules above say about their state in the health report. Owned here, filled by them. */
@Injectable()
export class HealthChecks {
  private readonly reports = new Map<string, () => unknown>();

  /** @param report called for each health report; must not throw or wait, and tells no secret: the report is public */
  register(name: string, report: () => unknown): void {
    this.reports.set(name, report);
  }

  all(): Record<string, unknown> {
    return Object.fromEntries([...this.reports].map(([name, report]) => [name, report()]));
  }
}
