import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

export interface Drain {
  /** From now on every answer closes its connection, so callers open the next one to another process. */
  announce(): void;
  /**
   * Refuses new connections, lets running requests finish, and cuts off the rest after `drainMs`. Resolves with the number of
   * requests that were cut off.
   */
  close(drainMs: number): Promise<number>;
}

const sweepMs = 20;
/** A new connection without any bytes is kept this long, because its caller may be about to send. */
const silentMs = 500;

/** Must be created before any handler that answers. */
export function createDrain(server: Server): Drain {
  const answers = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let isAnnounced = false;
  const follow = (_request: unknown, response: ServerResponse): void => {
    if (isAnnounced) response.setHeader('Connection', 'close');
    remember(answers, response);
  };
  server.prependListener('request', follow);
  server.on('connection', (socket) => remember(sockets, socket));
  const announce = (): void => {
    isAnnounced = true;
    for (const answer of answers) if (!answer.headersSent) answer.setHeader('Connection', 'close');
  };
  return {
    announce,
    close: async (drainMs) => {
      announce();
      let cutOff = 0;
      const closed = promisify(server.close.bind(server))();
      // A connection that is kept alive turns idle when its last answer is out.
      const sweeper = setInterval(() => server.closeIdleConnections(), sweepMs);
      const silence = setTimeout(() => {
        // The server counts these as running requests.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, silentMs);
      const patience = setTimeout(() => {
        cutOff = answers.size;
        server.closeAllConnections();
      }, drainMs);
      await closed.finally(() => {
        clearInterval(sweeper);
        clearTimeout(silence);
        clearTimeout(patience);
      });
      return cutOff;
    },
  };
}

function remember<Closable extends { once(event: 'close', listener: () => void): unknown }>(
  open: Set<Closable>,
  one: Closable,
): void {
  open.add(one);
  one.once('close', () => open.delete(one));
}
