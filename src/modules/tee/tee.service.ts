import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { TeeHardware } from '../../providers/tee/index.js';
import { AgentsService } from '../agents/index.js';
import type { AttestationView, TeeAgentsView, TeeStatusView } from './tee.dto.js';

/** Attestation of the machine. */
@Injectable()
export class TeeService {
  constructor(
    private readonly machine: TeeHardware,
    private readonly agents: AgentsService,
    private readonly clock: Clock,
  ) {}

  async status(): Promise<TeeStatusView> {
    const [devices, attestation] = await Promise.all([this.machine.devices(), this.machine.supportsQuotes()]);
    const kinds = devices.map(({ kind }) => kind);
    const vendor = kinds.includes('sev-snp') ? 'sev-snp' : kinds.includes('tdx') ? 'tdx' : null;
    return { mode: attestation ? 'PRODUCTION' : 'OFF', vendor, attestation, devices };
  }

  list(): TeeAgentsView {
    return { agents: this.agents.list().map(({ id, name }) => ({ id, name, attestation: null })) };
  }

  /** @throws AppError TEE_NOT_AVAILABLE */
  async attest(reportData: string): Promise<AttestationView> {
    const { driver, quote } = await this.machine.quote(Buffer.from(reportData, 'hex'));
    return { quote: quote.toString('base64'), timestamp: this.clock.now(), provider: driver, reportData: reportData.toLowerCase() };
  }
}
