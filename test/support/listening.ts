import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The address of the server on a free port of this machine, until the test ends. */
export async function listening(t: { teardown: (undo: () => void) => void }, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
