import { IsBoolean } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { IfPresent, IsJsonObject } from '../../core/http/index.js';
import type { EnvChange } from './env-file.js';

/** Body of `POST /api/system/env/local`. */
export class UpdateEnvironmentBody {
  /** Values by name of variable: text, a number or true/false sets it, null takes it out, a mask leaves it as it is. */
  @IsJsonObject()
  content!: Record<string, unknown>;

  /** False takes out what `content` does not name; true when absent. */
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
  const change: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(content)) {
    if (value === null || typeof value === 'string') change[name] = value;
    else if (typeof value === 'number' || typeof value === 'boolean') change[name] = String(value);
    else throw new AppError('VALIDATION_ERROR', `content.${name.slice(0, 100)} must be text, a number, true, false or null`);
  }
  return change;
}
