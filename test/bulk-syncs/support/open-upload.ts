import { connect, type Socket } from 'node:net';
import { bulkPath, ndjson } from './bulk-calls.ts';

export interface SlowUpload {
  /** What is announced. */
  readonly length?: number;
  /** Further ones, each with its line end. */
  readonly headers?: string;
}

export interface OpenUpload {
  readonly socket: Socket;
  /** All that was answered so far. */
  readonly answer: () => string;
  readonly closed: Promise<void>;
}

/** An upload by hand: what is written is sent at once, and nothing more comes by itself. */
export async function openUpload(
  { url }: { readonly url: string },
  { apiKey }: { readonly apiKey: string },
  { length = 1_000_000, headers = '' }: SlowUpload = {},
): Promise<OpenUpload> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (data: Buffer) => {
    answer += data.toString();
  });
  socket.write(
    `POST ${bulkPath} HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\nContent-Type: ${ndjson}\r\nContent-Length: ${length}\r\n${headers}\r\n`,
  );
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
  return { socket, answer: () => answer, closed };
}
