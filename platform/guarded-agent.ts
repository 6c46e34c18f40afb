import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, Client, errors, Pool, type Dispatcher } from 'undici';
import { BlockedAddress, isAllowedAddress, withoutBrackets, type AddressPolicy } from './public-address-guard.ts';
import { createNameResolver, type ResolveAll } from './resolve-names.ts';
import { acceptUnaskedContinue } from './unasked-continue.ts';

export interface GuardedAgentOptions extends AddressPolicy {
  /** ms for DNS, TCP and TLS together. Default 10,000, the time a webhook receiver has for its whole answer. */
  readonly connectTimeoutMs?: number;
  /** Most connections to one origin; further requests wait in a queue. Default 128. */
  readonly connectionsPerOriginMax?: number;
  /** Replaced in tests. */
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
/** Answers 100 to 199 before the one that counts may come in any number, and each costs work. */
const interimAnswersMax = 20;

/**
 * An agent for calls to hosts that partners name: HTTPS only, no proxy, no redirects (undici's `request` follows none), and no
 * connection to an address that is not public. Forbidden requests fail with {@link BlockedAddress}. The check is in the
 * connector, because every connection goes through it. It checks literals directly, names through a look-up whose answers are
 * exactly the addresses connected to, and finally the peer. TLS 1.2 or later with a verified certificate, whatever the
 * environment says. Trusts the system's authorities and `NODE_EXTRA_CA_CERTS`.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const connect = guardedConnector(options);
  const settings: Pool.Options = {
    connect,
    connections: options.connectionsPerOriginMax ?? defaultConnectionsPerOriginMax,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveCeilingMs,
    maxHeaderSize: answerHeaderBytesMax,
    factory: (origin, clientOptions) => new OneConnection(origin, clientOptions, connect),
  };
  return new Agent({ factory: (origin) => new Pool(origin, settings) });
}

function guardedConnector(options: GuardedAgentOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    lookup: guardedLookup(options.resolveAll ?? createNameResolver(), options),
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

/**
 * One connection of a pool. When a reused connection is lost before the first byte of the answer, the request is sent once more
 * on a fresh connection: a peer may close a kept connection just when a request is written, which is no fault of the peer. Only
 * for calls that may arrive twice: deliveries (at-least-once) and plain reads.
 */
class OneConnection extends Client {
  /** Whether the present connection has already carried a complete answer. */
  #isReused = false;
  readonly #requestBegins: () => void;

  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    let requestBegins = (): void => undefined;
    super(origin, {
      ...options,
      connect: (target, done) =>
        connect(target, (...result) => {
          const [, socket] = result;
          if (socket !== null) requestBegins = acceptUnaskedContinue(socket);
          done(...result);
        }),
    });
    this.#requestBegins = () => requestBegins();
    this.on('connect', () => {
      this.#isReused = false;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const again = (): boolean => canBeRepeated(options.body) && this.#sendAgain(options, handler);
    return super.dispatch(options, this.#follow(handler, again));
  }

  /** This client has a single connection, so a request after its loss goes over a new one. */
  #sendAgain(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.closed || this.destroyed) return false;
    super.dispatch(
      options,
      this.#follow(handler, () => false),
    );
    return true;
  }

  #follow(handler: Dispatcher.DispatchHandler, sendAgain: () => boolean): Dispatcher.DispatchHandler {
    const answered = (): void => {
      this.#isReused = true;
    };
    const begins = (): boolean => {
      this.#requestBegins();
      return this.#isReused;
    };
    return new AnswerHandler(handler, { begins, answered, sendAgain });
  }
}

const canBeRepeated = (body: Dispatcher.DispatchOptions['body']): boolean =>
  body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;

const lostConnection: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface Connection {
  /** Returns whether the connection has already carried an answer. */
  begins(): boolean;
  answered(): void;
  /** Returns false when the request can't be sent again. */
  sendAgain(): boolean;
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #connection: Connection;
  /** True while a reused connection has not sent the first byte of the answer. */
  #mayBeStale = false;
  #interimAnswers = 0;

  constructor(inner: Dispatcher.DispatchHandler, connection: Connection) {
    this.#inner = inner;
    this.#connection = connection;
  }

  onRequestStart(...args: Arguments<'onRequestStart'>): void {
    this.#mayBeStale = this.#connection.begins();
    this.#inner.onRequestStart?.(...args);
  }

  onResponseStarted(): void {
    this.#mayBeStale = false;
    this.#inner.onResponseStarted?.();
  }

  onResponseStart(...args: Arguments<'onResponseStart'>): void {
    const [, status] = args;
    if (status < 200) this.#interimAnswers += 1;
    if (this.#interimAnswers > interimAnswersMax) throw new errors.HeadersOverflowError('too many interim answers');
    this.#inner.onResponseStart?.(...args);
  }

  onResponseData(...args: Arguments<'onResponseData'>): void {
    this.#inner.onResponseData?.(...args);
  }

  onResponseEnd(...args: Arguments<'onResponseEnd'>): void {
    this.#connection.answered();
    this.#inner.onResponseEnd?.(...args);
  }

  onResponseError(...args: Arguments<'onResponseError'>): void {
    const [, error] = args;
    const isStale = this.#mayBeStale && 'code' in error && lostConnection.has(error.code);
    if (isStale && this.#connection.sendAgain()) return;
    this.#inner.onResponseError?.(...args);
  }
}

type Arguments<Name extends keyof Dispatcher.DispatchHandler> = Parameters<
  NonNullable<Dispatcher.DispatchHandler[Name]>
>;
