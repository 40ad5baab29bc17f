// The frame of all pages: menu, page, status line.
import { signal, useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from './i18n.js';
import type { PageProps } from './page-props.js';
import { PAGES, type Page } from './pages.js';
import { match, path } from './router.js';
import { access } from './api.js';
import { SignInPage } from './sign-in.js';
import { StatusLine } from './status-line.js';
import { TopBar } from './top-bar.js';
import { Overlays } from './ui/dialogs.js';
import { Empty, Failure, Skeletons } from './ui/states.js';

const loaded = signal<ReadonlyMap<string, ComponentType<PageProps>>>(new Map());

function pageAt(address: string): { page: Page; params: Readonly<Record<string, string>> } | undefined {
  for (const page of PAGES) {
    for (const pattern of page.paths) {
      const params = match(pattern, address);
      if (params) return { page, params };
    }
  }
  return undefined;
}

export function App(): JSX.Element {
  if (access.value === 'unknown') return <Skeletons />;
  if (access.value === 'needs-key') {
    return (
      <>
        <SignInPage />
        <Overlays />
      </>
    );
  }
  const found = pageAt(path.value);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t('nav.skip')}
      </a>
      <TopBar current={found?.page.id} />
      <main id="content" tabIndex={-1} class={found?.page.full === true ? 'full' : undefined}>
        {found ? <PageView page={found.page} params={found.params} /> : <NotFound />}
      </main>
      <StatusLine />
      <Overlays />
    </div>
  );
}

function PageView({ page, params }: { readonly page: Page } & PageProps): JSX.Element {
  const fault = useSignal<unknown>(undefined);
  const first = useRef(true);
  const load = (): void => {
    fault.value = undefined;
    page.load().then(
      ({ default: component }) => {
        loaded.value = new Map(loaded.value).set(page.id, component);
      },
      (error: unknown) => {
        fault.value = error;
      },
    );
  };
  useEffect(() => {
    document.title = page.id === 'chat' ? 'Parley' : `${t(page.title)} · Parley`;
    if (!loaded.peek().has(page.id)) load();
    // A person who opened another page with the keyboard goes on from its content.
    if (!first.current) document.getElementById('content')?.focus();
    first.current = false;
  }, [page.id]);
  const Component = loaded.value.get(page.id);
  if (Component) return <Component params={params} />;
  return fault.value === undefined ? <Skeletons /> : <Failure error={fault.value} onRetry={load} />;
}

function NotFound(): JSX.Element {
  return (
    <Empty title={t('nav.notFound')} icon="search">
      <p>{t('nav.notFoundHint')}</p>
      <a class="button" href="/">
        {t('nav.home')}
      </a>
    </Empty>
  );
}
