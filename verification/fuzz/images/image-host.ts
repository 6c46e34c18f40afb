import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { TLSSocket, createSecureContext } from 'node:tls';
import type { Certificates } from '../../../embedded/certificates.ts';

/** What is sent after a request for one path: bytes as they are, or whatever writes to the socket in its own time. */
export type ImageAnswer = Buffer | ((socket: TLSSocket) => void);

export interface ImageHost {
  /** `https://127.0.0.1:port` */
  readonly url: string;
  /** Before anybody asks for it. */
  serve(path: string, answer: ImageAnswer): void;
  close(): Promise<void>;
}

const crlf = '\r\n';

/** A whole answer with this file. */
export const file = (bytes: Buffer, headers: Readonly<Record<string, string>> = {}): Buffer => {
  const all = { 'Content-Type': 'image/jpeg', 'Content-Length': String(bytes.length), Connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}${crlf}`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK${crlf}${lines.join('')}${crlf}`), bytes]);
};

/** A partner's image server that means no good. It writes raw bytes over TLS, because no HTTP library would be so rude. */
export async function startImageHost({ keyFile, certificateFile }: Certificates): Promise<ImageHost> {
  const answers = new Map<string, ImageAnswer>();
  const sockets = new Set<{ destroy(): void }>();
  const secureContext = createSecureContext({ key: readFileSync(keyFile), cert: readFileSync(certificateFile) });
  const server = createServer((tcp) => {
    sockets.add(tcp);
    tcp.on('error', () => undefined).on('close', () => sockets.delete(tcp));
    const socket = new TLSSocket(tcp, { isServer: true, secureContext });
    let head = '';
    socket.on('error', () => tcp.destroy()).on('close', () => tcp.destroy());
    socket.on('data', (part: Buffer) => {
      head += part.toString('latin1');
      if (!head.includes(crlf + crlf)) return;
      const path = /^GET (\S+)/.exec(head)?.[1] ?? '';
      head = '';
      const answer = answers.get(path) ?? Buffer.from(`HTTP/1.1 404 Not Found${crlf}Content-Length: 0${crlf}${crlf}`);
      if (typeof answer === 'function') answer(socket);
      else socket.end(answer);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    serve: (path, answer) => void answers.set(path, answer),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
