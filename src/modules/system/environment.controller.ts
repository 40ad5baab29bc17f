import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { HybridEnvelope, ApiErrors, Scope } from '../../core/http/index.js';
import { EnvFile } from './env-file.js';
import { EnvironmentUpdatedView, toEnvChange, UpdateEnvironmentBody } from './environment.dto.js';

@Controller(['api/system/env/local', 'api/system/environment/local'])
@Scope('admin')
export class EnvironmentController {
  constructor(private readonly file: EnvFile) {}

  /** Returns the variables of the server's .env file, with possible secrets masked. */
  @Get()
  async read(): Promise<Record<string, unknown>> {
    return this.file.readMasked();
  }

  /**
   * Changes variables of the server's .env file. The changes apply at the next start.
   *
   * @remarks Variables that load code, set data paths or control access cannot be changed; the operator allows further variables with
   *   ENV_EDITABLE. Unchanged and masked values are not changes. A rejected request changes nothing.
   */
  @Post()
  @HttpCode(200)
  @HybridEnvelope()
  @ApiErrors('VALIDATION_ERROR', 'FORBIDDEN')
  async update(@Body() body: UpdateEnvironmentBody): Promise<EnvironmentUpdatedView> {
    await this.file.change(toEnvChange(body), body.merge === false);
    return { success: true, message: 'Local env updated' };
  }
}
