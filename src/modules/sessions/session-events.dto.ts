/** A session and its times: epoch ms in streams, ISO 8601 on sockets. */
export class SessionEventView {
  [field: string]: unknown;

  /** @format uuid */
  sessionId!: string;
  /** @format uuid */
  channelId!: string;
  /** @format uuid */
  agentId!: string;
  userId!: string;
  expiresAt!: number | string;
  /** When the warning of this life period is due. */
  warnsAt!: number | string;
  renewalCount?: number;
  /** Of a warning. */
  minutesRemaining?: number;
  /** Of a warning, ms. */
  timeRemaining?: number;
}
