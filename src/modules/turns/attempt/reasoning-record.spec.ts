import { beforeAll, expect, it } from '@jest/globals';
import { Vault } from '../../../core/vault/index.js';
import type { ChatReasoning } from '../../../providers/models/index.js';
import { openReasoning, sealReasoning } from './reasoning-record.js';

let vault: Vault;
beforeAll(async () => {
  vault = await Vault.open({ dataDir: '', secretKey: 'k'.repeat(32), secretKeyPrevious: [] });
});

const LONG = 'Hm. '.repeat(150_000);

it.each<[string, ChatReasoning, ChatReasoning]>([
  ['is kept whole', { text: 'Hm.', fields: { reasoning: 'Hm.' } }, { text: 'Hm.', fields: { reasoning: 'Hm.' } }],
  ['loses only its fields when they make it too long', { text: LONG, fields: { reasoning: LONG } }, { text: LONG }],
  ['is cut when its text is too long', { text: LONG.repeat(2) }, { text: `${'Hm. '.repeat(250_000)}[… 200000 characters omitted]` }],
])('Recorded reasoning %s', (_what, reasoning, kept) => {
  expect(openReasoning(vault, sealReasoning(vault, reasoning))).toEqual(kept);
});
