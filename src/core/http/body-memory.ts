import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { networkOf } from './network.js';

const RETRY_SECONDS = 5;

/** What one request body holds of the memory. */
export interface BodyReservation {
  /** @throws AppError PAYLOAD_TOO_LARGE, RATE_LIMIT_EXCEEDED, SERVER_BUSY */
  add(bytes: number): void;
  /** Frees the reservation. Idempotent. */
  release(): void;
}

/** Limits the memory of all request bodies together, and of those of one address or IPv6 network. */
@Injectable()
export class BodyMemory {
  private held = 0;
  private readonly byNetwork = new Map<string, number>();

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'bodyBufferBytes' | 'bodyBufferBytesPerAddress'>) {}

  /** Reserved bytes. */
  get used(): number {
    return this.held;
  }

  /** Opens an empty reservation for one body. */
  reserve(address: string): BodyReservation {
    const network = networkOf(address);
    let own = 0;
    const change = (bytes: number): void => {
      own += bytes;
      this.held += bytes;
      const rest = (this.byNetwork.get(network) ?? 0) + bytes;
      if (rest === 0) this.byNetwork.delete(network);
      else this.byNetwork.set(network, rest);
    };
    return {
      add: (bytes) => {
        const refusal = this.refusalOf(own + bytes, (this.byNetwork.get(network) ?? 0) + bytes, this.held + bytes);
        if (refusal) throw refusal;
        change(bytes);
      },
      release: () => change(-own),
    };
  }

  private refusalOf(own: number, ofNetwork: number, ofAll: number): AppError | undefined {
    const { bodyBufferBytes, bodyBufferBytesPerAddress } = this.config;
    const largest = Math.min(bodyBufferBytes, bodyBufferBytesPerAddress);
    if (own > largest) {
      return new AppError(
        'PAYLOAD_TOO_LARGE',
        `The request body needs more than ${largest} bytes of memory.`,
        'Send less, or raise BODY_BUFFER_BYTES_PER_ADDRESS and BODY_BUFFER_BYTES.',
      );
    }
    if (ofNetwork > bodyBufferBytesPerAddress) {
      return new AppError(
        'RATE_LIMIT_EXCEEDED',
        `More than ${bodyBufferBytesPerAddress} bytes of request bodies of your address are under way.`,
        'Send fewer at a time, and retry after the time in Retry-After; the setting is BODY_BUFFER_BYTES_PER_ADDRESS.',
      ).retryAfter(RETRY_SECONDS);
    }
    if (ofAll <= bodyBufferBytes) return undefined;
    return new AppError(
      'SERVER_BUSY',
      'Too many request bodies are being received.',
      'Retry after the time in Retry-After, or raise BODY_BUFFER_BYTES.',
    ).retryAfter(RETRY_SECONDS);
  }
}
