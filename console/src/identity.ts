// The author of messages from the console: a user of this browser, with a permanent id and an editable name.
import { randomId } from 'parley-client';
import { signal } from '@preact/signals';

const ID = 'parley.user';
const NAME = 'parley.userName';

function storedId(): string {
  const stored = localStorage.getItem(ID);
  if (stored !== null) return stored;
  const id = randomId();
  localStorage.setItem(ID, id);
  return id;
}

export const myId = storedId();
export const myName = signal(localStorage.getItem(NAME) ?? '');

export function rename(name: string): void {
  localStorage.setItem(NAME, name);
  myName.value = name;
}
