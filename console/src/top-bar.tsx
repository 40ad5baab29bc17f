import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { access, credential, signOut } from './api.js';
import { chooseLanguage, LANGUAGES, language, t, type Language } from './i18n.js';
import { PAGES } from './pages.js';
import { chooseTheme, theme, type Theme } from './theme.js';
import { Button } from './ui/controls.js';
import { Menu } from './ui/dialogs.js';
import { Icon } from './ui/icon.js';

export function TopBar({ current }: { readonly current: string | undefined }): JSX.Element {
  const open = useSignal(false);
  return (
    <header class={`top-bar ${open.value ? 'open' : ''}`}>
      <Brand />
      <Button
        kind="plain"
        class="menu-button"
        icon={open.value ? 'close' : 'menu'}
        label={t('nav.menu')}
        aria-expanded={open.value}
        aria-controls="menu"
        onClick={() => {
          open.value = !open.value;
        }}
      />
      <nav
        id="menu"
        aria-label={t('nav.label')}
        onClick={() => {
          open.value = false;
        }}
      >
        {PAGES.map((page) => (
          <a key={page.id} href={page.paths[0]} aria-current={page.id === current ? 'page' : undefined}>
            <Icon name={page.icon} />
            {t(page.title)}
          </a>
        ))}
      </nav>
      <div class="row top-tools">
        <LanguageMenu />
        <ThemeMenu />
        {credential.value !== undefined && (
          <Button
            kind="plain"
            icon="out"
            label={t('nav.signOut')}
            onClick={() => {
              signOut();
              access.value = 'needs-key';
            }}
          />
        )}
      </div>
    </header>
  );
}

function Brand(): JSX.Element {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M8 9.5h13a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3h-7l-4.5 4v-4H8" />
      </svg>
      Parley
    </a>
  );
}

function LanguageMenu(): JSX.Element {
  return (
    <Menu
      icon="globe"
      label={t('nav.language')}
      items={Object.entries(LANGUAGES).map(([id, label]) => ({
        label,
        ...(id === language.value && { icon: 'check' as const }),
        onSelect: () => void chooseLanguage(id as Language),
      }))}
    />
  );
}

function ThemeMenu(): JSX.Element {
  const themes: readonly { id: Theme; label: string }[] = [
    { id: 'system', label: t('nav.themeSystem') },
    { id: 'light', label: t('nav.themeLight') },
    { id: 'dark', label: t('nav.themeDark') },
  ];
  return (
    <Menu
      icon="sun"
      label={t('nav.theme')}
      items={themes.map(({ id, label }) => ({
        label,
        ...(id === theme.value && { icon: 'check' as const }),
        onSelect: () => chooseTheme(id),
      }))}
    />
  );
}
