import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { mongo } from 'mongoose';

/** What the driver calls a connection: one socket, one command at a time. Not part of what it exports. */
interface DriverConnection {
  readonly socket: Socket;
  writeCommand: (this: DriverConnection, ...args: unknown[]) => Promise<void>;
}

let isMended = false;

/**
 * Lets every command end that is cut off while it is written. The driver (7.8 and 7.9) waits for its socket to drain or to fail, and hears of
 * neither when the socket is only closed: whoever asked then waits for ever. And a failure heard there is passed on as it stands,
 * so that nobody can tell it from a bug, and the driver itself doesn't repeat what it would otherwise repeat. docs/decisions.md 103.
 */
export function mendDriver(): void {
  if (isMended) return;
  const { prototype } = driverConnection();
  const { writeCommand } = prototype;
  prototype.writeCommand = function (...args) {
    return untilClosed(this.socket, writeCommand.apply(this, args));
  };
  isMended = true;
}

/** Of the very copy of the driver that mongoose uses. Throws when the driver has changed, rather than mend nothing in silence. */
function driverConnection(): { readonly prototype: DriverConnection } {
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const inside: unknown = ofMongoose('mongodb/lib/cmap/connection.js');
  if (isConnectionModule(inside)) return inside.Connection;
  throw new Error('the MongoDB driver writes its commands in another way now: see store/mend-driver.ts');
}

function isConnectionModule(inside: unknown): inside is { Connection: { prototype: DriverConnection } } {
  if (typeof inside !== 'object' || inside === null || !('Connection' in inside)) return false;
  const { Connection } = inside;
  return typeof Connection === 'function' && 'writeCommand' in Connection.prototype;
}

async function untilClosed(socket: Socket, written: Promise<void>): Promise<void> {
  let tellClosed = (): void => undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    tellClosed = () => reject(new mongo.MongoNetworkError('the connection was closed while a command was written'));
  });
  if (socket.closed) tellClosed();
  socket.once('close', tellClosed);
  try {
    await Promise.race([written, closed]);
  } catch (error) {
    // Only what the socket itself met; a command that can't be encoded stays what it is.
    if (!(error instanceof Error) || error !== socket.errored) throw error;
    throw new mongo.MongoNetworkError(error.message, { cause: error });
  } finally {
    socket.off('close', tellClosed);
  }
}
