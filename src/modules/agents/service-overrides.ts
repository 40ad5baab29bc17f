import { AGENT_SERVICES, type ServiceOverride, type ServiceOverrides } from '../../providers/services/index.js';

type Fields = Readonly<Record<string, unknown>>;
interface Secrets {
  readonly own: Fields;
  readonly settings: Fields;
}

const NAMES = Object.keys(AGENT_SERVICES) as (keyof typeof AGENT_SERVICES)[];
const MAX_ADDRESS_LENGTH = 2048;

/** The rule for a service's address, to follow the setting's name. */
export const SERVICE_ADDRESS_RULE = 'must be an address such as https://models.example.com/v1, without user, password, query or fragment';

/** Names of the settings that hold a service's address. */
export const SERVICE_ADDRESS_SETTINGS: readonly string[] = Object.values(AGENT_SERVICES).map(({ address }) => address);

/** Whether a setting is a valid service address; empty text means none. */
export function isServiceAddress(text: string): boolean {
  if (text === '') return true;
  if (text.length > MAX_ADDRESS_LENGTH || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && !/[?#]/.test(text);
}

/** Sources of an agent's settings, in the order of lookup. */
export function settingSources(settings: Fields | undefined, secrets: Secrets | null): readonly Fields[] {
  return [secrets?.own ?? {}, settings ?? {}, secrets?.settings ?? {}];
}

/**
 * The services that an agent configures itself.
 *
 * @param environment reads the operator's environment for this agent, which comes first. A key from the environment is sent only to the
 *   operator's addresses, never to one of the character
 * @returns undefined when the agent configures none
 */
export function serviceOverrides(
  sources: readonly Fields[],
  environment: (key: string) => string | undefined,
): ServiceOverrides | undefined {
  const found = NAMES.flatMap((name) => {
    const service = serviceOverride(name, sources, environment);
    return service === undefined ? [] : [[name, service] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/**
 * Faults of a change that would send a stored key to another address. Secrets are masked in responses, so a changed address must not
 * reveal them.
 *
 * @param given the change that the caller sent, in the fields of a character
 */
export function redirectedKeys(before: readonly Fields[], after: readonly Fields[], given: Fields): string[] {
  const sentSources = settingSources(fieldsOf(given['settings']), {
    own: fieldsOf(given['secrets']),
    settings: fieldsOf(fieldsOf(given['settings'])['secrets']),
  });
  const redirected = NAMES.filter((name) => {
    const next = serviceOverride(name, after);
    if (next?.address === undefined || next.key === undefined) return false;
    const previous = serviceOverride(name, before);
    const { key } = AGENT_SERVICES[name];
    return (
      (next.address !== previous?.address || next.key !== previous.key) &&
      !sentSources.some((source) => key !== undefined && textOf(source[key]) === next.key)
    );
  });
  return redirected.map((name) => {
    const { address, key } = AGENT_SERVICES[name];
    return `settings.${address} must be changed together with ${key}: a key is sent only to the address for which it was set`;
  });
}

function serviceOverride(
  name: keyof typeof AGENT_SERVICES,
  sources: readonly Fields[],
  environment: (key: string) => string | undefined = () => undefined,
): ServiceOverride | undefined {
  const names = AGENT_SERVICES[name];
  const inCharacter = (key: string | undefined): string | undefined => {
    const source = sources.find((candidate) => key !== undefined && Object.hasOwn(candidate, key) && candidate[key] !== null);
    return key === undefined ? undefined : textOf(source?.[key]);
  };
  const fromOperator = environment(names.address);
  const address = fromOperator ?? inCharacter(names.address);
  // A key next to a chat address belongs to the chat service, not to OpenAI's speech service.
  if (name === 'openaiAudio' && address === undefined && serviceOverride('openai', sources, environment)?.address !== undefined) {
    return undefined;
  }
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
