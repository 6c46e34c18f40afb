import { isIP } from 'node:net';
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

/** Link-local stays out even here: that is where clouds serve credentials (169.254.169.254). */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
/** The only block from which public IPv6 addresses are given out; ipaddr.js calls more than that "unicast" (`::127.0.0.1`). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** True when `address` (an IP literal without brackets) may be connected to. An IPv4 address inside an IPv6 one counts as itself. */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (policy.allowPrivateNetworks && privateRanges.has(range)) return true;
  if (range !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed instanceof ipaddr.IPv6 && parsed.match(globalUnicast));
}

/**
 * Checks a URL's host without asking DNS: literals must be allowed addresses, names pass (they are checked when they are connected to).
 * Good for an early answer to the caller, never a replacement for the guarded agent.
 */
export function isAllowedHost(hostname: string, policy: AddressPolicy): boolean {
  const host = withoutBrackets(hostname);
  return isIP(host) === 0 || isAllowedAddress(host, policy);
}

/** `[::1]` as URLs write it → `::1`. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
