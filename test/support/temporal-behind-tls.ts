import { once } from 'node:events';
import { connect, createSecureServer, type ServerHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TestAuthority } from '../gateways/support/certificates.ts';

export interface TemporalBehindTls {
  readonly address: string;
  /** Ends all connections; from now on a client needs a certificate of one of these. */
  trust(...clients: readonly TestAuthority[]): void;
  close(): void;
}

interface Front {
  /** Names in the server's certificate. */
  readonly names: readonly string[];
  readonly authority: TestAuthority;
  /** Of whom a client needs a certificate. */
  readonly clients: readonly TestAuthority[];
  /** Without it as a bearer's token in the header no call is let through. */
  readonly apiKey?: string;
}

/** A proxy that asks for certificates and keys, before the run's own Temporal server. */
export async function startTemporalBehindTls({ names, authority, clients, apiKey }: Front): Promise<TemporalBehindTls> {
  const issued = await authority.issue(names);
  const tlsOf = (trusted: readonly TestAuthority[]) => ({ ...issued, ca: trusted.map(({ pem }) => pem) });
  const server = createSecureServer({
    ...tlsOf(clients),
    requestCert: clients.length > 0,
    rejectUnauthorized: clients.length > 0,
  });
  const behind = connect(`http://${process.env['TEST_TEMPORAL_ADDRESS'] ?? ''}`);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined).on('error', () => undefined);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined);
    if (apiKey === undefined || headers.authorization === `Bearer ${apiKey}`)
      passOn(stream, behind.request(named(headers)));
    else
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16', 'grpc-message': 'no' },
        { endStream: true },
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    trust: (...trusted) => {
      server.setSecureContext(tlsOf(trusted));
      endAll();
    },
    close: () => {
      server.close();
      endAll();
      behind.destroy();
    },
  };
}

/** Of the connection, and of the answer, is what the server behind gets a new one of. */
const named = ({ ':authority': _authority, ':scheme': _scheme, host: _host, ...headers }: IncomingHttpHeaders) =>
  headers;

function passOn(stream: ServerHttp2Stream, request: ReturnType<ReturnType<typeof connect>['request']>): void {
  let trailers: IncomingHttpHeaders = {};
  request.on('error', () => stream.destroy());
  stream.on('close', () => request.close());
  request.on('response', (headers, flags) => {
    const isWhole = (flags & endStream) !== 0;
    stream.respond(headers, isWhole ? { endStream: true } : { waitForTrailers: true });
    if (!isWhole) request.pipe(stream);
  });
  request.on('trailers', (sent) => (trailers = sent));
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.pipe(request);
}

/** NGHTTP2_FLAG_END_STREAM */
const endStream = 1;
