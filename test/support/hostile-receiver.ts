import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContextOptions } from 'node:tls';

/**
 * How one receiver treats who calls it. It speaks raw TCP and TLS, because no HTTP library would be so rude.
 * Without `onConnection` there is a TLS handshake, then `onRequest` is called for every request that was read to its end.
 */
export interface Behaviour {
  /** False: the port is known, but nobody listens on it. */
  readonly listens?: false;
  /** Takes the TCP connection as it comes, before any TLS. */
  readonly onConnection?: (tcp: Socket) => void;
  /** Right after the handshake, when no request has been read. */
  readonly onSecure?: (talk: Talk) => void;
  readonly onRequest?: (talk: Talk) => void;
  readonly tls?: SecureContextOptions;
}

/** One connection from the receiver's side. What is written after the peer has gone is dropped. */
export interface Talk {
  /** Requests read so far on this connection, with this one. */
  readonly onThisConnection: number;
  write(data: string | Buffer): void;
  end(data?: string | Buffer): void;
  /** A TCP reset: what was written and not yet sent is lost. */
  reset(): void;
  /** Writes as fast as the peer reads, until it has gone or `bytesMax` are written. */
  pour(block: Buffer, bytesMax?: number): void;
  /** Until the peer has gone. */
  every(ms: number, work: () => void): void;
  after(ms: number, work: () => void): void;
}

export interface HostileReceiver {
  readonly url: string;
  readonly port: number;
  seen(): Seen;
  /** Fulfilled when the last open connection has gone. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

export interface Seen {
  /** Connections. */
  readonly accepted: number;
  readonly open: number;
  /** Requests whose body arrived in full. */
  readonly requests: number;
  /** Put on the wire, handshakes and encryption included. */
  readonly bytesSent: number;
}

/** @param options.host an address of the loopback; by default 127.0.0.1 */
export async function startHostileReceiver(
  behaviour: Behaviour,
  options: { certificate: SecureContextOptions; host?: string },
): Promise<HostileReceiver> {
  const host = options.host ?? '127.0.0.1';
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const count = { accepted: 0, requests: 0, bytesSent: 0 };
  const secureContext = createSecureContext({ ...options.certificate, ...behaviour.tls });
  const server = createServer((tcp) => {
    count.accepted += 1;
    sockets.add(tcp);
    tcp.on('error', () => undefined);
    tcp.on('close', () => {
      sockets.delete(tcp);
      count.bytesSent += tcp.bytesWritten;
      if (sockets.size === 0) for (const tell of waiting.splice(0)) tell();
    });
    if (behaviour.onConnection !== undefined) return behaviour.onConnection(tcp);
    speakTls(tcp, { behaviour, secureContext, onRequest: () => (count.requests += 1) });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  if (behaviour.listens === false) await stop();
  return {
    url: `https://${host}:${port}/hook`,
    port,
    seen: () => ({
      ...count,
      open: sockets.size,
      bytesSent: count.bytesSent + [...sockets].reduce((sum, tcp) => sum + tcp.bytesWritten, 0),
    }),
    whenIdle: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: async () => {
      const stopped = behaviour.listens === false ? Promise.resolve() : stop();
      for (const tcp of sockets) tcp.destroy();
      await stopped;
    },
  };
}

interface Speech {
  readonly behaviour: Behaviour;
  readonly secureContext: ReturnType<typeof createSecureContext>;
  readonly onRequest: () => void;
}

function speakTls(tcp: Socket, { behaviour, secureContext, onRequest }: Speech): void {
  const socket = new TLSSocket(tcp, { isServer: true, secureContext });
  let onThisConnection = 0;
  let unread = Buffer.alloc(0);
  socket.on('error', () => tcp.destroy());
  socket.on('close', () => tcp.destroy());
  if (behaviour.onSecure !== undefined) {
    socket.resume();
    return behaviour.onSecure(aTalk(socket, tcp, 0));
  }
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (let length = requestLength(unread); length !== undefined; length = requestLength(unread)) {
      unread = unread.subarray(length);
      onThisConnection += 1;
      onRequest();
      behaviour.onRequest?.(aTalk(socket, tcp, onThisConnection));
    }
  });
}

/** Of the first request in `bytes`, head and body; undefined while it isn't complete. Senders must give a Content-Length. */
function requestLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const announced = /^content-length: *(\d+)/im.exec(bytes.subarray(0, headEnd).toString('latin1'));
  const length = headEnd + 4 + Number(announced?.[1] ?? 0);
  return bytes.length >= length ? length : undefined;
}

function aTalk(socket: TLSSocket, tcp: Socket, onThisConnection: number): Talk {
  const after = (ms: number, work: () => void): void => {
    const timer = setTimeout(work, ms);
    tcp.on('close', () => clearTimeout(timer));
  };
  return {
    onThisConnection,
    write: (data) => {
      if (!socket.destroyed && socket.writable) socket.write(data);
    },
    end: (data) => {
      if (!socket.destroyed && socket.writable) socket.end(data ?? '');
    },
    reset: () => tcp.resetAndDestroy(),
    pour: (block, bytesMax = Infinity) => {
      let written = 0;
      const pourOn = (): void => {
        for (let isFree = true; isFree && written < bytesMax && !socket.destroyed; written += block.length)
          isFree = socket.write(block);
      };
      socket.on('drain', pourOn);
      pourOn();
    },
    every: (ms, work) => {
      const timer = setInterval(work, ms);
      tcp.on('close', () => clearInterval(timer));
    },
    after,
  };
}
