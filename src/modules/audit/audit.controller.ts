import { Controller, Get, Query } from '@nestjs/common';
import { AllowRestricted, ApiErrors, FromCaller, Scope, type Caller } from '../../core/http/index.js';
import { AuditRepository } from './audit.repository.js';
import { AuditView, ListAuditQuery, presentAudit, toAuditQuery } from './audit.dto.js';

@Controller('api/audit')
@Scope('admin')
export class AuditController {
  constructor(private readonly entries: AuditRepository) {}

  /**
   * Lists changes to keys, configuration, agents and their data: who made them, when and from where. The newest first.
   *
   * @remarks A key that is limited to some agents sees the entries about these agents.
   */
  @Get()
  @AllowRestricted()
  @ApiErrors('VALIDATION_ERROR')
  async list(@Query() query: ListAuditQuery, @FromCaller() { agents }: Caller): Promise<AuditView> {
    const { filter, before, limit } = toAuditQuery(query);
    const found = await this.entries.page({ ...filter, agents: agents && [...agents] }, before, limit + 1);
    return presentAudit(found, limit);
  }
}
