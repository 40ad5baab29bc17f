import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiErrors } from '../../core/http/index.js';
import { AttestationBody, AttestationView, TeeAgentsView, TeeStatusView } from './tee.dto.js';
import { TeeService } from './tee.service.js';

@Controller('api/tee')
export class TeeController {
  constructor(private readonly tee: TeeService) {}

  /** Returns the trusted hardware of the machine and whether it issues quotes. */
  @Get('status')
  async status(): Promise<TeeStatusView> {
    return this.tee.status();
  }

  /** Lists the agents on this machine. */
  @Get('agents')
  async agents(): Promise<TeeAgentsView> {
    return this.tee.list();
  }

  /** Creates a quote of the processor over the caller's report data. */
  @Post('attestation')
  @HttpCode(200)
  @ApiErrors('VALIDATION_ERROR', 'TEE_NOT_AVAILABLE')
  async attest(@Body() body: AttestationBody): Promise<AttestationView> {
    return this.tee.attest(body.reportData);
  }
}
