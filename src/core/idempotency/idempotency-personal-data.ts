import { Injectable } from '@nestjs/common';
import { textStep, type ErasureStep, type PersonalData } from '../personal-data/index.js';
import { Vault } from '../vault/index.js';
import { PURPOSE, type StoredResponse } from './idempotency.service.js';

/** Stored responses that name a user, or a message or channel of the user. A request with the same key is then carried out again. */
@Injectable()
export class IdempotencyPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    textStep<{ id: string; response: string | null }>(
      { kind: 'responses to repeated requests', effect: 'deleted', order: 81 },
      { table: 'idempotency_keys', key: 'id', columns: ['response'] },
      ({ response }) => (response === null ? '' : this.read(response)),
    ),
  ];

  constructor(private readonly vault: Vault) {}

  private read(sealed: string): string {
    try {
      const { body } = JSON.parse(this.vault.open(PURPOSE, sealed)) as StoredResponse;
      return Buffer.from(body, 'base64').toString('utf8');
    } catch {
      // Sealed with a key that no longer exists, so the response is unreadable. Retention deletes it.
      return '';
    }
  }
}
