import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which addresses outbound calls to partners' hosts may reach. */
export interface AddressPolicy {
  /** Lets loopback and private ranges in; the embedded mode sets it for its own simulators, nothing else does. */
  readonly allowPrivateNetworks: boolean;
}

/** An outbound call was stopped because its host is, or resolves to, an address that partners must not reach. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  /** The host that was asked for and, where it was resolved, the offending address. For logs, not for partners. */
  readonly host: string;
  readonly address: string | undefined;

  constructor(reason: string, host: string, address?: string) {
    super(reason);
    this.host = host;
    this.address = address;
  }
}

/** Link-local stays out even here: that is where clouds serve credentials (169.254.169.254, fe80::a9fe:a9fe). */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
/** The only block from which public IPv6 addresses are given out; ipaddr.js calls more than that "unicast" (`::127.0.0.1`). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Where clouds serve credentials outside the link-local ranges; some of these lie in blocks that look private or even public. */
const metadataServices: ReadonlySet<string> = new Set([
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure's host agent
]);
/** Whole blocks, because each cloud serves more than one kind of credentials from its own. */
const metadataNetworks = [
  'fd00:ec2::/32', // AWS: instances ::254, EKS Pod Identity ::23
  'fd20:ce::/32', // Google Cloud
  'fd00:42::/32', // Scaleway
].map((network) => ipaddr.IPv6.parseCIDR(network));

/** True when `address` (an IP literal without brackets) may be connected to. An IPv4 address inside an IPv6 one counts as itself. */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  // The IP library also reads spellings that are none here (127.1) and takes ::8.8.8.8, which is no IPv4 address, for one.
  const canonical = canonicalAddress(address);
  if (canonical === undefined) return false;
  const parsed = ipaddr.process(canonical);
  if (isMetadataService(parsed)) return false;
  const range = parsed.range();
  if (policy.allowPrivateNetworks && privateRanges.has(range)) return true;
  if (range !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed instanceof ipaddr.IPv6 && parsed.match(globalUnicast));
}

function isMetadataService(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6
    ? metadataNetworks.some((network) => address.match(network))
    : metadataServices.has(address.toString());
}

/** IPv4 as four decimal numbers, IPv6 in hexadecimal alone; undefined for anything else, also for addresses with a zone. */
function canonicalAddress(address: string): string | undefined {
  if (!isIPv6(address)) return isIP(address) === 4 ? address : undefined;
  const url = `https://[${address}]/`;
  return URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : undefined;
}

/**
 * Checks a URL's host without asking DNS: literals must be allowed addresses, `localhost` and names under it count as loopback
 * (RFC 6761), all other names pass (they are checked when they are connected to).
 * Good for an early answer to the caller, never a replacement for the guarded agent.
 */
export function isAllowedHost(hostname: string, policy: AddressPolicy): boolean {
  const host = withoutBrackets(hostname);
  if (isLocalhostName(host)) return policy.allowPrivateNetworks;
  return isIP(host) === 0 || isAllowedAddress(host, policy);
}

/** With or without the dot of a fully qualified name; URLs have made it lower case. */
const isLocalhostName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** `[::1]` as URLs write it → `::1`. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
