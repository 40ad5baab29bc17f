import { Injectable } from '@nestjs/common';
import type { Problem, ProblemSource } from '../../core/health/index.js';
import { CharacterImport } from './character-import.js';

const MAX_SHOWN = 5;

/** Character files that define no agent, until each is mended or removed. */
@Injectable()
export class CharacterProblems implements ProblemSource {
  constructor(private readonly files: CharacterImport) {}

  problems(): Promise<Problem[]> {
    const found = this.files.faulty.map(({ file, faults, at }) => {
      const more = faults.length > MAX_SHOWN ? `; and ${faults.length - MAX_SHOWN} more` : '';
      return {
        ...{ kind: 'character' as const, subject: file, count: 1, at },
        message: `The character file ${file} has a fault; its agent is as it was before, or does not run.`,
        details: `${faults.slice(0, MAX_SHOWN).join('; ')}${more}. Mend the file, or remove it; the server reads it again within seconds.`,
      };
    });
    return Promise.resolve(found);
  }
}
