import type { PluginProblemView, PluginRouteView } from '@parley/client';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Badge } from '../../ui/controls.js';

/** Parts of a plugin that failed, with the last reason. */
export function Problems({ problems }: { readonly problems: readonly PluginProblemView[] }): JSX.Element | null {
  if (problems.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>{t('plugins.problems')}</h3>
      <ul class="stack tight plugin-problems">
        {problems.map(({ component, reason, count }) => (
          <li key={component} class="notice warn">
            <span class="grow break">
              <span class="strong">{component}</span> {reason}
            </span>
            <span class="small faint">{t('plugins.failures', { count })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a plugin answers over HTTP, and which routes take precedence over which. */
export function Routes({ routes }: { readonly routes: readonly PluginRouteView[] }): JSX.Element {
  return (
    <section class="stack tight">
      <h3>{t('plugins.routes')}</h3>
      {routes.length === 0 ? (
        <p class="soft">{t('plugins.noRoutes')}</p>
      ) : (
        <ul class="card plugin-routes">
          {routes.map((route) => (
            <Route key={`${route.type} ${route.path}`} route={route} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Route({ route }: { readonly route: PluginRouteView }): JSX.Element {
  const { type, path, paths, name, isMultipart, shadows, shadowedBy } = route;
  return (
    <li>
      <div class="row wrap">
        <Badge>{type}</Badge>
        <code class="break">{path}</code>
        {name !== null && <span class="small faint">{name}</span>}
        <span class="grow" />
        {route.public && <Badge tone="warn">{t('plugins.public')}</Badge>}
        {isMultipart && <Badge>{t('plugins.files')}</Badge>}
      </div>
      <details class="small">
        <summary class="soft">{t('plugins.paths', { count: paths.length })}</summary>
        <ul class="stack tight">
          {paths.map((one) => (
            <li key={one}>
              <code class="break">{one}</code>
            </li>
          ))}
        </ul>
      </details>
      {shadows.length > 0 && (
        <p class="small soft break">
          {t('plugins.shadows')}: {shadows.join(', ')}
        </p>
      )}
      {shadowedBy.length > 0 && (
        <p class="small soft break">
          {t('plugins.shadowedBy')}: {shadowedBy.join(', ')}
        </p>
      )}
    </li>
  );
}
