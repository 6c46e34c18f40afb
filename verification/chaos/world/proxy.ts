import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * - `pass`: nothing is done to it.
 * - `delay`: each piece arrives `delayMs` later, both ways.
 * - `blackhole`: nothing arrives, and nobody is told; what was sent meanwhile is lost with its connection when it ends.
 * - `reset`: connections are broken off, and so is every new one.
 */
export type LinkMode =
  | { readonly kind: 'pass' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'blackhole' }
  | { readonly kind: 'reset' };

/** The network between two parts: a TCP proxy on loopback that can be told to misbehave. */
export interface Link {
  readonly port: number;
  set(mode: LinkMode): void;
  /** Breaks off what is connected now; new connections are as the mode says. */
  cut(): void;
  /** Connections whose first piece has `name` are broken off, those that are open too; null lets all in again. */
  shun(name: string | null): void;
  close(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** What the caller said first. */
  opening: string;
}

/** `port`: 0 for any free one. */
export async function openLink(targetPort: number, port = 0): Promise<Link> {
  let mode: LinkMode = { kind: 'pass' };
  let shunned: string | null = null;
  const pairs = new Set<Pair>();
  const breakOffShunned = (pair: Pair): void => {
    if (shunned !== null && pair.opening.includes(shunned)) breakOff(pair);
  };
  const server = createServer({ noDelay: true }, (near) => {
    if (mode.kind === 'reset') {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { near, far, opening: '' };
    pairs.add(pair);
    near.once('data', (piece: Buffer) => {
      pair.opening = piece.toString('latin1');
      breakOffShunned(pair);
    });
    const forget = (): void => {
      pairs.delete(pair);
    };
    const modeNow = (): LinkMode => mode;
    join(near, far, modeNow);
    join(far, near, modeNow);
    near.once('close', forget);
    far.once('error', forget);
    // Held back like everything else, from the first byte on.
    if (mode.kind === 'blackhole') hold(pair);
  });
  await listen(server, port);
  const cut = (): void => {
    for (const pair of [...pairs]) breakOff(pair);
    pairs.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      const before = mode;
      mode = next;
      if (next.kind === 'reset' || before.kind === 'blackhole') cut();
      if (next.kind === 'blackhole') for (const pair of pairs) hold(pair);
    },
    cut,
    shun: (name) => {
      shunned = name;
      for (const pair of [...pairs]) breakOffShunned(pair);
    },
    close: () =>
      new Promise((resolve) => {
        cut();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function breakOff({ near, far }: Pair): void {
  for (const socket of [near, far]) {
    // One that is being shut down can't be reset: its handle would stay, and Node spin at the end of the process.
    if (socket.writableEnded) socket.destroy();
    else socket.resetAndDestroy();
  }
}

function hold({ near, far }: Pair): void {
  near.pause();
  far.pause();
}

/** Carries what `from` says to `to`, in its order, and ends `to` with it. */
function join(from: Socket, to: Socket, modeNow: () => LinkMode): void {
  const line = openLine();
  const send = (work: () => void): void => {
    const mode = modeNow();
    // Its connection goes with the end of the hole.
    if (mode.kind !== 'blackhole') line.add(mode.kind === 'delay' ? mode.delayMs : 0, work);
  };
  from.on('data', (piece: Buffer) => {
    send(() => {
      if (!to.writable || to.write(piece)) return;
      from.pause();
      to.once('drain', () => modeNow().kind !== 'blackhole' && from.resume());
    });
  });
  from.once('end', () => {
    send(() => to.end());
  });
  from.on('error', () => {
    to.destroy();
  });
  // A caller that broke off is not heard any more: its late pieces are dropped.
  from.once('close', (hadError) => {
    if (!hadError) return;
    line.clear();
    to.destroy();
  });
}

/** What waits for its time, first in, first out: what is sent later never overtakes, whatever delay it has. */
function openLine() {
  let waiting: { readonly due: number; readonly work: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    timer = undefined;
    for (let first = waiting[0]; first !== undefined && first.due <= Date.now(); first = waiting[0]) {
      waiting.shift();
      first.work();
    }
    const [next] = waiting;
    if (next !== undefined) timer = setTimeout(run, next.due - Date.now());
  };
  return {
    add(delayMs: number, work: () => void): void {
      if (delayMs === 0 && waiting.length === 0) {
        work();
        return;
      }
      waiting.push({ due: Math.max(Date.now() + delayMs, waiting.at(-1)?.due ?? 0), work });
      timer ??= setTimeout(run, delayMs);
    },
    clear(): void {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
}
