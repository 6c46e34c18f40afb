import type { Server } from 'node:http';
import { callerNetwork } from '../../platform/caller-address.ts';
import type { Logger } from '../../platform/logger.ts';

export interface ConnectionBounds {
  /** For the whole process. */
  readonly connectionsMax: number;
  /** Per IPv4 address, or per IPv6 network of /64. */
  readonly connectionsPerNetworkMax: number;
  /**
   * Trusted proxies are not counted: they hold the connections of all their callers and limit these themselves
   * (docs/deployment.md).
   */
  readonly isTrusted: (address: string) => boolean;
}

/** A connection costs memory before its first header is read, so connections beyond the limits are closed without an answer. */
export function boundConnections(server: Server, logger: Logger, bounds: ConnectionBounds): void {
  const tell = tellSeldom(logger);
  const heldBy = new Map<string, number>();
  server.maxConnections = bounds.connectionsMax;
  server.on('drop', () => tell(undefined));
  server.prependListener('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (bounds.isTrusted(address)) return;
    const network = callerNetwork(address);
    const held = (heldBy.get(network) ?? 0) + 1;
    heldBy.set(network, held);
    socket.once('close', () => {
      const left = (heldBy.get(network) ?? 1) - 1;
      if (left === 0) heldBy.delete(network);
      else heldBy.set(network, left);
    });
    if (held <= bounds.connectionsPerNetworkMax) return;
    socket.destroy();
    tell(address);
  });
}

const tellEveryMs = 60_000;

/** Logs at most one line a minute, because a line per connection would fill the log. */
function tellSeldom(logger: Logger): (address: string | undefined) => void {
  let [refused, toldAt] = [0, -Infinity];
  return (address) => {
    refused += 1;
    if (performance.now() - toldAt < tellEveryMs) return;
    logger.warn({ refused, address }, 'connections.refused');
    [refused, toldAt] = [0, performance.now()];
  };
}
