import { IsBoolean } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { IfPresent, IsJsonObject } from '../../core/http/index.js';
import { cutText } from '../../core/text/index.js';
import type { EnvChange } from './env-file.js';

/** Body of `POST /api/system/env/local`. */
export class UpdateEnvironmentBody {
  /** Values by variable name: text, a number or true/false sets the variable, null removes it, a mask leaves it unchanged. */
  @IsJsonObject()
  content!: Record<string, unknown>;

  /** False removes variables that `content` does not name. Defaults to true. */
  @IfPresent()
  @IsBoolean()
  merge?: boolean;
}

export class EnvironmentUpdatedView {
  success!: boolean;
  message!: string;
}

/** @throws AppError VALIDATION_ERROR naming the variable */
export function toEnvChange({ content }: UpdateEnvironmentBody): EnvChange {
  const change = Object.entries(content).map(([name, value]): [string, string | null] => {
    if (value === null || typeof value === 'string') return [name, value];
    if (typeof value === 'number' || typeof value === 'boolean') return [name, String(value)];
    throw new AppError('VALIDATION_ERROR', `content.${cutText(name, 100)} must be text, a number, true, false or null`);
  });
  return Object.fromEntries(change);
}
