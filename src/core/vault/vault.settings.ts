import { secret, secretList, type SettingValues } from '../config/index.js';

export const VAULT_SETTINGS = {
  secretKey: secret('SECRET_KEY', {
    about:
      'Key that encrypts secrets in the database and signs session tokens: 32 random bytes as text. Unset: generated at the first start.',
    shownDefault: 'DATA_DIR/secret.key',
    shortest: 32,
  }),
  secretKeyPrevious: secretList('SECRET_KEY_PREVIOUS', {
    about: 'Previous values of SECRET_KEY, comma-separated. Secrets encrypted with them are re-encrypted at start.',
  }),
} as const;

type VaultConfig = SettingValues<typeof VAULT_SETTINGS>;

declare module '../config/config.js' {
  interface Config extends VaultConfig {}
}
