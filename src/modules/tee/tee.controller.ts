import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Refuses } from '../../core/http/index.js';
import { AttestationBody, AttestationView, TeeAgentsView, TeeStatusView } from './tee.dto.js';
import { TeeService } from './tee.service.js';

@Controller('api/tee')
export class TeeController {
  constructor(private readonly tee: TeeService) {}

  /** Which trusted hardware the machine has, and whether it makes quotes. */
  @Get('status')
  async status(): Promise<TeeStatusView> {
    return this.tee.status();
  }

  /** The agents that run on this machine. */
  @Get('agents')
  async agents(): Promise<TeeAgentsView> {
    return this.tee.list();
  }

  /** A quote of the processor over the caller's report data. */
  @Post('attestation')
  @HttpCode(200)
  @Refuses('VALIDATION_ERROR', 'TEE_NOT_AVAILABLE')
  async attest(@Body() body: AttestationBody): Promise<AttestationView> {
    return this.tee.attest(body.reportData);
  }
}
