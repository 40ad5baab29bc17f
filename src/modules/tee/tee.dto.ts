import { Matches } from 'class-validator';

/** Body of `POST /api/tee/attestation`. */
export class AttestationBody {
  /** Up to 64 bytes for the quote, hexadecimal: a challenge, or a hash of longer data. @example 5eed0123 */
  @Matches(/^([0-9a-fA-F]{2}){1,64}$/, { message: '$property must be 2 to 128 hexadecimal digits' })
  reportData!: string;
}

/** A trusted device of the machine. */
export class TrustedDeviceView {
  kind!: 'sev-snp' | 'tdx' | 'tpm';
  path!: string;
}

export class TeeStatusView {
  /** `PRODUCTION` when the machine issues quotes, else `OFF`. */
  mode!: 'OFF' | 'PRODUCTION';
  /** Kind of confidential VM; null when the machine is not one. */
  vendor!: 'sev-snp' | 'tdx' | null;
  /** Whether `POST /api/tee/attestation` is available. */
  attestation!: boolean;
  devices!: TrustedDeviceView[];
}

export class TeeAgentView {
  /** @format uuid */
  id!: string;
  name!: string;
  /** Always null: quotes are created on request. */
  attestation!: string | null;
}

export class TeeAgentsView {
  agents!: TeeAgentView[];
}

export class AttestationView {
  /** The quote, base64. */
  quote!: string;
  /** Epoch ms. */
  timestamp!: number;
  /** Name of the kernel driver, such as `sev_guest` or `tdx_guest`. */
  provider!: string;
  /** The report data of the request, in lower case. */
  reportData!: string;
}
