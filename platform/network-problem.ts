import { BlockedAddress } from './public-address-guard.ts';

/**
 * Why an HTTP call failed, in words that are safe to show to a partner (no addresses, no internals).
 * - `blocked`: refused by the address guard. - `untrusted`: the peer's certificate. - `unreachable`: there was no connection, so
 * no request was sent. - `broken`: the connection was lost or the answer was no HTTP; the peer may have processed the request.
 */
export interface NetworkProblem {
  readonly kind: 'blocked' | 'untrusted' | 'unreachable' | 'broken';
  readonly message: string;
}

export const hostNotFound = 'host name not found';

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: hostNotFound,
  ENODATA: hostNotFound,
  EAI_AGAIN: 'host name could not be looked up',
  EHOSTUNREACH: 'host is unreachable',
  ENETUNREACH: 'network is unreachable',
  EADDRNOTAVAIL: 'host is unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};

const untrusted: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is unknown or an intermediate certificate is missing',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
  HOSTNAME_MISMATCH: 'it is for another host name',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  CERT_CHAIN_TOO_LONG: 'its chain is too long',
  INVALID_CA: 'its chain is invalid',
  INVALID_PURPOSE: 'it is not meant for servers',
  UNSPECIFIED: 'a key or signature in its chain is too weak',
};

const closed = 'connection was closed before the answer was complete';
const invalid = 'answer is not valid HTTP';
const unknownProblem = 'connection failed';

const broken: Readonly<Record<string, string>> = {
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_HEADERS_OVERFLOW: 'answer has too many headers',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'no answer in time',
  // Before the headers are complete it means that undici saw a Content-Length and could not read on.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: `${invalid}: its Content-Length stands there twice, is too large or is beside Transfer-Encoding, or a line after it is wrong`,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'answer is too long',
  ETIMEDOUT: 'no answer in time',
  // undici asserts this of the status: 101 without an upgrade, 000 to 099.
  ERR_ASSERTION: `${invalid}: its status is not one that answers the request`,
};

const noHandshake = ': no cipher in common, or the server asks for a client certificate';
const tlsReasons: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: ': the port does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ': the port does not speak TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: ': TLS 1.2 or later is needed',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: ': TLS 1.2 or later is needed',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: ': the server does not offer HTTP/1.1',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: ': the server does not know this host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: ': the server asks for a client certificate',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: noHandshake,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': noHandshake,
};

/** undici has no error codes for these, so they are recognised by their messages. */
const unasked: Readonly<Record<string, string>> = {
  'bad response': `${invalid}: it begins with a 100 Continue of HTTP/1.0`,
  'bad upgrade': `${invalid}: it changes to a protocol that was not asked for`,
};
/** The parser's own reason is one of its constants, without bytes of the peer. */
const parserReason = /^Response does not match the HTTP\/1\.1 protocol \(([^()]+)\)$/;

/**
 * Never throws, and never repeats the error's own message, which may hold addresses or bytes from the peer. `hasHead`: the
 * headers of the answer were complete.
 */
export function describeNetworkProblem(error: unknown, { hasHead = false } = {}): NetworkProblem {
  const blocked = findBlocked(error);
  if (blocked !== undefined) return { kind: 'blocked', message: blocked.message };
  const code = errorCode(error);
  const reason = untrusted[code];
  if (reason !== undefined) return { kind: 'untrusted', message: `TLS certificate not trusted: ${reason}` };
  const noConnection = unreachable[code] ?? connectingProblem(error, code);
  if (noConnection !== undefined) return { kind: 'unreachable', message: noConnection };
  const isShort = hasHead && code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  return { kind: 'broken', message: isShort ? closed : brokenProblem(error, code) };
}

/** ETIMEDOUT and ECONNRESET mean "no request was sent" only when the connect call failed. */
function connectingProblem(error: unknown, code: string): string | undefined {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'connect')) return undefined;
  return code === 'ECONNRESET' ? closed : 'no connection in time';
}

function brokenProblem(error: unknown, code: string): string {
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `TLS connection failed${tlsReasons[code] ?? ''}`;
  if (!(error instanceof Error)) return unknownProblem;
  if (error.name === 'HTTPParserError') {
    const reason = parserReason.exec(error.message)?.[1];
    if (reason === 'Invalid EOF state') return closed;
    return reason === undefined ? invalid : `${invalid}: ${reason}`;
  }
  return (code === 'UND_ERR_SOCKET' ? unasked[error.message] : undefined) ?? broken[code] ?? unknownProblem;
}

function findBlocked(error: unknown): BlockedAddress | undefined {
  if (error instanceof BlockedAddress) return error;
  if (error instanceof AggregateError) return error.errors.map(findBlocked).find((found) => found !== undefined);
  return error instanceof Error && error.cause !== undefined ? findBlocked(error.cause) : undefined;
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? '' : errorCode(error.cause);
}
