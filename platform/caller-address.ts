import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Key of one caller: an IPv4 address, or an IPv6 /64 network, which belongs to one customer. All texts that are no
 * address share one key, because a proxy may send any text.
 */
export function callerNetwork(address: string): string {
  const parsed = parseCaller(address);
  if (parsed === undefined) return 'unknown';
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts.slice(0, 4).join(':')}/64`;
}

/** Removes the port that some proxies append, and the brackets around IPv6. IPv4 inside IPv6 becomes IPv4. */
function parseCaller(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/** Whether a caller's address is one of these, or in one of these networks. A text that is no address is in none. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const caller = parseCaller(address);
  if (caller === undefined) return false;
  return networks.some((network) => {
    const [of, bits] = parseNetwork(network);
    return of.kind() === caller.kind() && caller.match(of, bits);
  });
}

/** `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/48`. IPv4 written as IPv6 is none, because callers are compared as IPv4. */
export function namesNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || !(bits === undefined || ipaddr.isValidCIDR(text))) return false;
  const [of] = parseNetwork(text);
  return !(of instanceof ipaddr.IPv6 && of.isIPv4MappedAddress());
}

function parseNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The /48 around an IPv6 address; undefined for anything else. */
export function widerNetwork(address: string): string | undefined {
  const network = callerNetwork(address);
  return network.endsWith('/64') ? `${network.split(':').slice(0, 3).join(':')}/48` : undefined;
}

const namedNetworks: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Whether `text` can name proxies: an address, a network (`10.0.0.0/8`), or loopback, linklocal or uniquelocal. */
export function namesProxies(text: string): boolean {
  return namedNetworks.has(text) || ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}
