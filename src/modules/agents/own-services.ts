import { AGENT_SERVICES, type OwnService, type OwnServices } from '../../core/config/index.js';

type Fields = Readonly<Record<string, unknown>>;
interface Secrets {
  readonly own: Fields;
  readonly settings: Fields;
}

const NAMES = Object.keys(AGENT_SERVICES) as (keyof typeof AGENT_SERVICES)[];
const LONGEST_ADDRESS = 2048;

/** What a service's address must be, in words that follow its name. */
export const SERVICE_ADDRESS = 'must be an address such as https://models.example.com/v1, without user, password, query or fragment';

/** Names of the settings that have a service's address. */
export const SERVICE_ADDRESS_SETTINGS: readonly string[] = Object.values(AGENT_SERVICES).map(({ address }) => address);

/** Whether a setting can be a service's address; empty text names none. */
export function isServiceAddress(text: string): boolean {
  if (text === '') return true;
  if (text.length > LONGEST_ADDRESS || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && !/[?#]/.test(text);
}

/** Where an agent's settings are looked up, in this order. */
export function settingPlaces(settings: Fields | undefined, secrets: Secrets | null): readonly Fields[] {
  return [secrets?.own ?? {}, settings ?? {}, secrets?.settings ?? {}];
}

/**
 * The services of its own that an agent names.
 *
 * @param environment what the operator's environment says for this agent; comes first. A key from there goes to addresses of the operator
 *   only, never to one that the character names
 * @returns undefined when it names none
 */
export function ownServices(places: readonly Fields[], environment: (key: string) => string | undefined): OwnServices | undefined {
  const found = NAMES.flatMap((name) => {
    const service = ownService(name, places, environment);
    return service === undefined ? [] : [[name, service] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/**
 * Faults of a change that would send a key to an address for which it was not given. Secrets are masked where they are shown; changing the
 * address beside one must not show it either.
 *
 * @param given what the caller sent, in the fields of a character
 */
export function movedKeys(before: readonly Fields[], after: readonly Fields[], given: Fields): string[] {
  const sent = settingPlaces(fieldsOf(given['settings']), {
    own: fieldsOf(given['secrets']),
    settings: fieldsOf(fieldsOf(given['settings'])['secrets']),
  });
  const moved = NAMES.filter((name) => {
    const is = ownService(name, after);
    if (is?.address === undefined || is.key === undefined) return false;
    const was = ownService(name, before);
    const { key } = AGENT_SERVICES[name];
    return (is.address !== was?.address || is.key !== was.key) && !sent.some((place) => key !== undefined && textOf(place[key]) === is.key);
  });
  return moved.map((name) => {
    const { address, key } = AGENT_SERVICES[name];
    return `settings.${address} must be changed together with ${key}: a key is sent only to the address that it was given for`;
  });
}

function ownService(
  name: keyof typeof AGENT_SERVICES,
  places: readonly Fields[],
  environment: (key: string) => string | undefined = () => undefined,
): OwnService | undefined {
  const names = AGENT_SERVICES[name];
  const inCharacter = (key: string | undefined): string | undefined => {
    const place = places.find((candidate) => key !== undefined && Object.hasOwn(candidate, key) && candidate[key] !== null);
    return key === undefined ? undefined : textOf(place?.[key]);
  };
  const fromOperator = environment(names.address);
  const address = fromOperator ?? inCharacter(names.address);
  // A key beside an address for chat is that service's: speech is asked elsewhere.
  if (name === 'openaiAudio' && address === undefined && ownService('openai', places, environment)?.address !== undefined) return undefined;
  const mayTakeOperators = names.key !== undefined && (address === undefined || fromOperator !== undefined);
  const key = (mayTakeOperators ? environment(names.key) : undefined) ?? inCharacter(names.key);
  return address === undefined && key === undefined ? undefined : { address, key };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
