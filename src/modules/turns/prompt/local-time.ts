const MAX_ZONE = 64;
const MAX_ZONES = 500;
const OFFSET = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/;
const MINUTE_MS = 60_000;
/** Minutes. */
const LARGEST_OFFSET = 14 * 60;

/** Formats of the zones that were used last; null for what is no zone. */
const formats = new Map<string, Intl.DateTimeFormat | null>();

/**
 * The day and time of people, for a prompt: `Friday, 2026-11-27 20:15 in Europe/Berlin (19:15 UTC)`.
 *
 * @param at epoch ms
 * @param sources metadata that may name a zone as `timezone`, an IANA name or an offset such as `+02:00`; the first valid one counts, else UTC
 */
export function localTime(at: number, sources: readonly Readonly<Record<string, unknown>>[]): string {
  const utc = timeIn(UTC, at);
  const zones = sources.flatMap(({ timezone, timeZone }) => [timezone, timeZone]);
  for (const zone of zones) {
    const local = typeof zone === 'string' ? timeInZone(zone.trim(), at) : undefined;
    if (local === undefined) continue;
    return local.zone === 'UTC' ? `${utc} UTC` : `${local.time} in ${local.zone} (${utc.slice(utc.lastIndexOf(' ') + 1)} UTC)`;
  }
  return `${utc} UTC`;
}

function timeInZone(zone: string, at: number): { readonly time: string; readonly zone: string } | undefined {
  const [, sign = '', hours = '', minutes = '0'] = OFFSET.exec(zone) ?? [];
  if (sign !== '') {
    const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
    return Math.abs(shift) > LARGEST_OFFSET
      ? undefined
      : { time: timeIn(UTC, at + shift * MINUTE_MS), zone: `UTC${zone.slice(zone.indexOf(sign))}` };
  }
  const format = formatOf(zone);
  return format === null ? undefined : { time: timeIn(format, at), zone: format.resolvedOptions().timeZone };
}

const UTC = makeFormat('UTC');

function formatOf(zone: string): Intl.DateTimeFormat | null {
  if (zone === '' || zone.length > MAX_ZONE) return null;
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null;
  try {
    format = makeFormat(zone);
  } catch {
    format = null;
  }
  if (formats.size >= MAX_ZONES) formats.clear();
  formats.set(zone, format);
  return format;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = '2-digit';
  const date = { weekday: 'long', year: 'numeric', month: numeric, day: numeric } as const;
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...date, hour: numeric, minute: numeric, hourCycle: 'h23' });
}

function timeIn(format: Intl.DateTimeFormat, at: number): string {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts['weekday']}, ${parts['year']}-${parts['month']}-${parts['day']} ${parts['hour']}:${parts['minute']}`;
}
