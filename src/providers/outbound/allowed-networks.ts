import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Named networks, the same as in TRUSTED_PROXIES. */
const NETWORK_NAMES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
// The allocated part of IPv6; the library knows the exceptions within it.
const GLOBAL_IPV6: Network = ipaddr.IPv6.parseCIDR('2000::/3');
const BENCHMARKS: Network = ipaddr.IPv4.parseCIDR('198.18.0.0/15');
const NAT64: Network = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Public addresses, and the networks that the operator allows. */
export class AllowedNetworks {
  private readonly named: readonly Network[];

  /** @param named networks in the format of the setting type `networks` */
  constructor(named: readonly string[]) {
    this.named = named.flatMap((name) => NETWORK_NAMES[name] ?? [name]).map(networkOf);
  }

  /** Whether requests to an address are allowed. @param address an IP address without brackets */
  allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const target = embeddedIpv4(ipaddr.parse(address));
    return isPublic(target) || this.named.some((network) => isIn(target, network));
  }
}

/** Extracts the IPv4 address from IPv4-mapped and NAT64 addresses. */
function embeddedIpv4(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return isIn(address, NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? isIn(address, GLOBAL_IPV6) : !isIn(address, BENCHMARKS);
}

function isIn(address: Address, [network, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4 && network instanceof ipaddr.IPv4) return address.match(network, bits);
  return address instanceof ipaddr.IPv6 && network instanceof ipaddr.IPv6 && address.match(network, bits);
}

function networkOf(text: string): Network {
  const [address = '', mask] = text.split('/');
  const parsed = ipaddr.process(address);
  if (mask === undefined) return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
  return [parsed, /^\d+$/.test(mask) ? Number(mask) : (ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask() ?? 32)];
}
