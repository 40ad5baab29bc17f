import { signal } from '@preact/signals';

/** The time, epoch ms, renewed each second while something shows it. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1000);
