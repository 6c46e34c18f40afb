// The floor for an upload: a stream that is read to its end, cut into lines and parsed. No credential, nothing is stored.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { serveParent } from './serve-parent.ts';

const server = createServer((request, response) => {
  let lines = 0;
  createInterface({ input: request })
    .on('line', (line) => {
      JSON.parse(line);
      lines += 1;
    })
    .on('close', () => {
      response.writeHead(202).end(JSON.stringify({ lines }));
    });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ url: `http://127.0.0.1:${port}` }, {});
});
