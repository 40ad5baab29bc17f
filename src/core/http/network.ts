const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The rate-limit key of an address: an IPv4 address, or the /64 network of an IPv6 address, within which a caller can choose addresses. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const tailGroups = groups(tail ?? '');
  const headGroups = groups(head);
  const zeros = tail === undefined ? 0 : GROUPS - headGroups.length - tailGroups.length;
  const all = [...headGroups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tailGroups];
  return `${all
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
