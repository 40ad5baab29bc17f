// What a page shows while it loads, when there is nothing, and when loading failed.
import { ParleyError } from 'parley-client';
import type { ComponentChildren, JSX } from 'preact';
import { errorText } from '../api.js';
import { t } from '../i18n.js';
import type { Loaded } from '../load.js';
import { Button } from './controls.js';
import { Icon, type IconName } from './icon.js';
import { RequestLink } from './request-link.js';

export function Skeletons({ lines = 6 }: { readonly lines?: number }): JSX.Element {
  return (
    <div class="skeletons" role="status" aria-label={t('common.loading')}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="skeleton" />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Nothing is there; the children say how that changes. */
export function Empty({ icon = 'info', title, children }: EmptyProps): JSX.Element {
  return (
    <div class="state">
      <Icon name={icon} />
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): JSX.Element {
  if (error instanceof ParleyError && error.status === 403) {
    return (
      <Empty icon="key" title={t('signIn.forbidden')}>
        <p class="break">{errorText(error)}</p>
        <p>{t('signIn.forbiddenHint')}</p>
      </Empty>
    );
  }
  return (
    <div class="state" role="alert">
      <Icon name="warning" />
      <p class="strong">{t('common.failed')}</p>
      <p class="break">{errorText(error)}</p>
      <RequestLink error={error} />
      {onRetry && (
        <Button icon="again" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}

interface AsyncProps<T> {
  readonly of: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
  readonly loading?: ComponentChildren;
}

/** Shows data when it is there; a failed reload leaves it and adds a notice. */
export function Async<T>({ of, children, loading }: AsyncProps<T>): JSX.Element {
  const { value } = of;
  if (value.state === 'loading') return <>{loading ?? <Skeletons />}</>;
  if (value.data === undefined && value.state === 'failed') return <Failure error={value.error} onRetry={of.reload} />;
  return (
    <>
      {value.state === 'failed' && (
        <div class="notice bad" role="alert">
          <Icon name="warning" />
          <span class="grow">
            {errorText(value.error)} <RequestLink error={value.error} />
          </span>
          <Button kind="plain" icon="again" label={t('common.retry')} onClick={of.reload} />
        </div>
      )}
      {children(value.data as T)}
    </>
  );
}
