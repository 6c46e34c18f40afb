import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The addresses that outbound calls to partners' hosts may reach. */
export interface AddressPolicy {
  /** Allows loopback and private ranges. Only the embedded mode sets it, for its own simulators. */
  readonly allowPrivateNetworks: boolean;
}

/** Thrown when the host of an outbound call is, or resolves to, an address that partners must not reach. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  /** The requested host and, if it was resolved, the forbidden address. For logs, not for partners. */
  readonly host: string;
  readonly address: string | undefined;

  constructor(reason: string, host: string, address?: string) {
    super(reason);
    this.host = host;
    this.address = address;
  }
}

/** Without link-local, because clouds serve credentials there (169.254.169.254, fe80::a9fe:a9fe). */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
/** The only block of public IPv6 addresses. ipaddr.js reports more than this as "unicast" (`::127.0.0.1`). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses outside link-local where clouds serve credentials; some are in private or even public blocks. */
const metadataServices: ReadonlySet<string> = new Set([
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure's host agent
]);
/** Whole blocks, because each cloud serves several kinds of credentials from its block. */
const metadataNetworks = [
  'fd00:ec2::/32', // AWS: instances ::254, EKS Pod Identity ::23
  'fd20:ce::/32', // Google Cloud
  'fd00:42::/32', // Scaleway
].map((network) => ipaddr.IPv6.parseCIDR(network));

/** Whether a connection to `address` (an IP literal without brackets) is allowed. IPv4 inside IPv6 is checked as IPv4. */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  // The IP library also accepts other spellings (127.1), and wrongly treats ::8.8.8.8 as an IPv4 address.
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

/** IPv4 as four decimal numbers, IPv6 in hexadecimal only; undefined for any other text, even an address with a zone. */
function canonicalAddress(address: string): string | undefined {
  if (!isIPv6(address)) return isIP(address) === 4 ? address : undefined;
  const url = `https://[${address}]/`;
  return URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : undefined;
}

/**
 * Checks a URL's host without DNS, for an early answer to the caller; it never replaces the guarded agent. Literals must be
 * allowed addresses. `localhost` and names under it count as loopback (RFC 6761). All other names pass: the agent checks them
 * when it connects.
 */
export function isAllowedHost(hostname: string, policy: AddressPolicy): boolean {
  const host = withoutBrackets(hostname);
  if (isLocalhostName(host)) return policy.allowPrivateNetworks;
  return isIP(host) === 0 || isAllowedAddress(host, policy);
}

/** Accepts the final dot of a fully qualified name. The URL parser has already made the host lower case. */
const isLocalhostName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** `[::1]` as URLs write it → `::1`. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
