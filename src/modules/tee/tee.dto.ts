import { Matches } from 'class-validator';

/** Body of `POST /api/tee/attestation`. */
export class AttestationBody {
  /** Up to 64 bytes that the quote is to contain, as hexadecimal digits: a challenge, or a hash of more. @example 5eed0123 */
  @Matches(/^([0-9a-fA-F]{2}){1,64}$/, { message: '$property must be 2 to 128 hexadecimal digits' })
  reportData!: string;
}

/** Hardware that can vouch for the machine. */
export class TrustedDeviceView {
  kind!: 'sev-snp' | 'tdx' | 'tpm';
  path!: string;
}

export class TeeStatusView {
  /** `PRODUCTION` when the machine makes quotes, else `OFF`. */
  mode!: 'OFF' | 'PRODUCTION';
  /** Kind of confidential guest; null when it is none. */
  vendor!: 'sev-snp' | 'tdx' | null;
  /** Whether `POST /api/tee/attestation` gives quotes. */
  attestation!: boolean;
  devices!: TrustedDeviceView[];
}

export class TeeAgentView {
  /** @format uuid */
  id!: string;
  name!: string;
  /** Always null: quotes are made when they are asked for. */
  attestation!: string | null;
}

export class TeeAgentsView {
  agents!: TeeAgentView[];
}

export class AttestationView {
  /** The quote as base64. */
  quote!: string;
  /** Epoch ms. */
  timestamp!: number;
  /** Name of the kernel's driver, as `sev_guest` or `tdx_guest`. */
  provider!: string;
  /** What was asked for, in lower case. */
  reportData!: string;
}
