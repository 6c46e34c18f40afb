import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, Pool } from 'undici';
import { BlockedAddress, isAllowedAddress, withoutBrackets, type AddressPolicy } from './public-address-guard.ts';
import { StaleProofClient } from './stale-proof-client.ts';

/** Resolves a name to all its addresses; replaced in tests. */
export type ResolveAll = (
  hostname: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface GuardedAgentOptions extends AddressPolicy {
  /** ms for DNS, TCP and TLS together. Default 10,000, the time a webhook receiver has for its whole answer. */
  readonly connectTimeoutMs?: number;
  /** Most connections to one origin; further requests wait in a queue. Default 128. */
  readonly connectionsPerOriginMax?: number;
  readonly resolveAll?: ResolveAll;
  /** PEM; trusted instead of the system's and `NODE_EXTRA_CA_CERTS`. For tests, which can't change either while they run. */
  readonly authorities?: string;
}

const defaultConnectTimeoutMs = 10_000;
const defaultConnectionsPerOriginMax = 128;
/** Short by default, because many receivers close idle connections after five seconds; they may ask for longer. */
const keepAliveMs = 4_000;
const keepAliveCeilingMs = 60_000;
const answerHeaderBytesMax = 32 * 1024;

/**
 * An agent for calls to hosts that partners name: HTTPS only, no proxy, no redirects (undici's `request` follows none), and no
 * connection to an address that is not public. Forbidden requests fail with {@link BlockedAddress}. The check is in the
 * connector, because every connection goes through it. It checks literals directly, names through a look-up whose answers are
 * exactly the addresses connected to, and finally the peer. TLS 1.2 or later with a verified certificate, whatever the
 * environment says. Trusts the system's authorities and `NODE_EXTRA_CA_CERTS`.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const settings: Pool.Options = {
    connect: guardedConnector(options),
    connections: options.connectionsPerOriginMax ?? defaultConnectionsPerOriginMax,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveCeilingMs,
    maxHeaderSize: answerHeaderBytesMax,
    factory: (origin, clientOptions) => new StaleProofClient(origin, clientOptions),
  };
  return new Agent({ factory: (origin) => new Pool(origin, settings) });
}

function guardedConnector(options: GuardedAgentOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    lookup: guardedLookup(options.resolveAll ?? resolveWithSystem, options),
    allowH2: false,
    autoSelectFamily: true,
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 and --tls-min-v1.0 change only the defaults.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(options.authorities === undefined ? {} : { ca: options.authorities }),
  });
  return (target, done) => {
    const host = withoutBrackets(target.hostname);
    if (target.protocol !== 'https:') return done(new BlockedAddress('only HTTPS is allowed', host), null);
    if (isIP(host) !== 0 && !isAllowedAddress(host, options))
      return done(new BlockedAddress('address is not public', host, host), null);
    connect({ ...target, hostname: host }, (...result) => {
      const [error, socket] = result;
      if (error !== null) return done(error, null);
      done(...checkedPeer(socket, host, options));
    });
  };
}

/** Last line of defence: a socket to a forbidden address is never returned, whatever the earlier checks did. */
function checkedPeer(socket: Socket, host: string, policy: AddressPolicy): [null, Socket] | [Error, null] {
  const peer = socket.remoteAddress;
  if (peer !== undefined && isAllowedAddress(peer, policy)) return [null, socket];
  socket.destroy();
  return [new BlockedAddress('address is not public', host, peer), null];
}

/** One forbidden answer refuses the whole name: a name with public and private addresses is an attack or a mistake. */
function guardedLookup(resolveAll: ResolveAll, policy: AddressPolicy): LookupFunction {
  return (hostname, lookupOptions, done) => {
    resolveAll(hostname, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const forbidden = addresses.find((answer) => !isAllowedAddress(answer.address, policy));
      if (forbidden !== undefined)
        return done(new BlockedAddress('address is not public', hostname, forbidden.address), '', 0);
      const [first] = addresses;
      if (first === undefined) return done(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
      if (lookupOptions.all === true) return done(null, [...addresses]);
      done(null, first.address, first.family);
    });
  };
}

const resolveWithSystem: ResolveAll = (hostname, done) => {
  systemLookup(hostname, { all: true }, done);
};
