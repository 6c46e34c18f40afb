import ipaddr from 'ipaddr.js';

/**
 * Key of one caller: an IPv4 address, or an IPv6 /64 network, which belongs to one customer. All texts that are no address (a
 * proxy may send any text) share one key.
 */
export function callerNetwork(address: string): string {
  const text = address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');
  if (!ipaddr.isValid(text)) return 'unknown';
  const parsed = ipaddr.process(text);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts.slice(0, 4).join(':')}/64`;
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
