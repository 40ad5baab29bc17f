const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** What one caller has of the internet: an IPv4 address, or the network of an IPv6 one, whose other half anybody may choose for themselves. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const behind = groups(tail ?? '');
  const before = groups(head);
  const zeros = tail === undefined ? 0 : GROUPS - before.length - behind.length;
  const all = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...behind];
  return `${all
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
