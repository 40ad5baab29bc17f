// Unsent drafts: the tab keeps one per conversation until it is sent or the user signs out.
import { onCredentialChange } from '../api.js';

const PREFIX = 'parley.draft.';

export function draftOf(key: string): string {
  return sessionStorage.getItem(PREFIX + key) ?? '';
}

export function keepDraft(key: string, text: string): void {
  if (text === '') sessionStorage.removeItem(PREFIX + key);
  else sessionStorage.setItem(PREFIX + key, text);
}

onCredentialChange(() => {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
});
