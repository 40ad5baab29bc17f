import { signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const CHOICE = 'parley.theme';
const stored = localStorage.getItem(CHOICE);

export const theme = signal<Theme>(THEMES.find((name) => name === stored) ?? 'system');

export function chooseTheme(name: Theme): void {
  localStorage.setItem(CHOICE, name);
  theme.value = name;
}

theme.subscribe((name) => {
  if (name === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = name;
});
