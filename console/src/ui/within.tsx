import type { JSX } from 'preact';
import { t } from '../i18n.js';
import { query, setQuery } from '../router.js';
import { Select } from './controls.js';

const MINUTE_MS = 60_000;
/** Times before now, by their name in the address. */
const WITHIN = { hour: 60 * MINUTE_MS, day: 1440 * MINUTE_MS, week: 7 * 1440 * MINUTE_MS } as const;
type Within = keyof typeof WITHIN;
const NAMES = Object.keys(WITHIN) as Within[];

/** The time before now that the address limits a list to, ms. */
export function withinMs(): number | undefined {
  const name = NAMES.find((one) => one === query.value.get('within'));
  return name && WITHIN[name];
}

/** Limits a list to what happened lately; the choice is in the address. */
export function WithinSelect(): JSX.Element {
  return (
    <Select
      label={t('common.time')}
      value={query.value.get('within') ?? ''}
      options={[{ value: '', label: t('runs.anyTime') }, ...NAMES.map((name) => ({ value: name, label: t(`runs.within.${name}`) }))]}
      onSelect={(within) => setQuery({ within })}
    />
  );
}
