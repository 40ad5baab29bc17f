import type { PluginComponentView, PluginProblemView, PluginRouteView, PluginSettingView } from 'parley-client';
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

/** What a plugin brings to agents. */
export function Components({ components }: { readonly components: readonly PluginComponentView[] }): JSX.Element | null {
  if (components.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>{t('plugins.components')}</h3>
      <p class="small soft">{t('plugins.componentsHint')}</p>
      <ul class="card plugin-routes">
        {components.map(({ kind, name, description }) => (
          <li key={`${kind} ${name}`}>
            <div class="row wrap">
              <Badge>{t(`plugins.component.${kind}`)}</Badge>
              <code class="strong break">{name}</code>
            </div>
            {description !== '' && <p class="small soft break">{description}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The settings of a plugin, without their values. */
export function Settings({ settings }: { readonly settings: readonly PluginSettingView[] }): JSX.Element | null {
  if (settings.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>{t('plugins.settings')}</h3>
      <p class="small soft">{t('plugins.settingsHint')}</p>
      <ul class="card plugin-routes">
        {settings.map(({ name, description, required, secret, set }) => (
          <li key={name}>
            <div class="row wrap">
              <code class="strong break">{name}</code>
              {secret && <Badge>{t('plugins.secret')}</Badge>}
              {required && <Badge>{t('plugins.required')}</Badge>}
              <span class="grow" />
              <Badge {...(set ? { tone: 'ok' as const } : required && { tone: 'warn' as const })}>
                {t(set ? 'plugins.set' : 'plugins.notSet')}
              </Badge>
            </div>
            {description !== '' && <p class="small soft break">{description}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a plugin serves over HTTP, and which routes take precedence over which. */
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
