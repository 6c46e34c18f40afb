import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes what is sent to it, whatever it is, and keeps every byte: a collector of traces that understands nothing. */
export async function startRawCollector(): Promise<{ url: string; text: () => string; close: () => Promise<void> }> {
  const chunks: Buffer[] = [];
  const server = createServer((request, response) => {
    chunks.push(Buffer.from(JSON.stringify(request.headers)));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => Buffer.concat(chunks).toString('latin1'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
