import { Injectable } from '@nestjs/common';

/** Lets one backup of this process run at a time: of the schedule or over HTTP. */
@Injectable()
export class BackupSlot {
  private name: string | undefined;

  /** The backup that runs. */
  get current(): string | undefined {
    return this.name;
  }

  /** @returns what frees the slot; undefined when it is taken */
  take(name: string): (() => void) | undefined {
    if (this.name !== undefined) return undefined;
    this.name = name;
    return () => {
      this.name = undefined;
    };
  }
}
