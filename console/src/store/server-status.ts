import { signal } from '@preact/signals';
import type { StatusView } from 'parley-client';
import { onCredentialChange } from '../api.js';

/** What the server has told last of itself and of the credential of this tab; undefined until it has. */
export const serverStatus = signal<StatusView | undefined>(undefined);
onCredentialChange(() => (serverStatus.value = undefined));
