import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { claimPort } from './claim-port.ts';

/**
 * Picks ports that are free now, never one twice, and none that another start has claimed. It reports each port that
 * differs from the preferred one.
 */
export class PortChooser {
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** The preferred port of 127.0.0.1, or another free one when it is taken. */
  async choose(purpose: string, preferred: number): Promise<number> {
    if ((await isFree(preferred)) && claimPort(preferred)) return preferred;
    const port = await this.any();
    this.#say(`port ${String(preferred)} is taken, using ${String(port)} for ${purpose}`);
    return port;
  }

  async any(): Promise<number> {
    for (;;) {
      const port = await freePort();
      if (claimPort(port)) return port;
    }
  }
}

/**
 * Below the range that systems use for outgoing connections. So a server that was killed finds its port free when it is
 * started again.
 */
const [lowest, highest] = [10_240, 32_767];

const triesMax = 1_000;

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port of 127.0.0.1 in ${String(triesMax)} tries`);
}

async function isFree(port: number): Promise<boolean> {
  return tryPort(port).then(
    () => true,
    () => false,
  );
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve(address.port);
      });
    });
  });
}

/** `true` when something accepts connections on this port, else undefined. */
export function canConnect(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(undefined);
    });
  });
}
