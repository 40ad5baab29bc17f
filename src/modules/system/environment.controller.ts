import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Hybrid, Refuses, Scope } from '../../core/http/index.js';
import { EnvFile } from './env-file.js';
import { EnvironmentUpdatedView, toEnvChange, UpdateEnvironmentBody } from './environment.dto.js';

@Controller(['api/system/env/local', 'api/system/environment/local'])
@Scope('admin')
export class EnvironmentController {
  constructor(private readonly file: EnvFile) {}

  /** The variables of the server's .env file, by name; what may be a secret is masked. */
  @Get()
  async read(): Promise<Record<string, unknown>> {
    return this.file.shown();
  }

  /**
   * Changes variables of the server's .env file; they count from the next start on.
   *
   * @remarks Only variables that load no code and do not say where data goes or who may call may be changed; the operator allows further
   * ones with ENV_EDITABLE. What is sent as it is, or masked, is not a change. A refused request changes nothing.
   */
  @Post()
  @HttpCode(200)
  @Hybrid()
  @Refuses('VALIDATION_ERROR', 'FORBIDDEN')
  async update(@Body() body: UpdateEnvironmentBody): Promise<EnvironmentUpdatedView> {
    await this.file.change(toEnvChange(body), body.merge === false);
    return { success: true, message: 'Local env updated' };
  }
}
