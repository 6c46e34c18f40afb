import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { mongo } from 'mongoose';

/** The driver version that the patches below were made for and are tested with. */
const testedVersion = '7.8.0';

/** The driver's internal connection class: one socket, one command at a time. The driver does not export it. */
interface DriverConnection {
  readonly socket: Socket;
  writeCommand: (this: DriverConnection, ...args: unknown[]) => Promise<unknown>;
}

type FailedCommand = readonly [
  connection: unknown,
  command: Readonly<Record<string, unknown>>,
  options: { readonly session?: mongo.ClientSession } | undefined,
  error: unknown,
];

/** The driver's internal server class: it labels the failed commands that may be repeated. */
interface DriverServer {
  decorateCommandError: (this: DriverServer, ...failed: FailedCommand) => unknown;
}

interface DriverInside {
  readonly Connection: { readonly prototype: DriverConnection };
  readonly Server: { readonly prototype: DriverServer };
}

let isMended = false;

/**
 * Patches the driver (7.8.0) in two places where a command is lost with its connection. Decisions 103, 107.
 * - A command that is cut off while it is written ends with a network error. The unpatched driver waits for its socket to drain
 *   or to fail. It misses a socket that only closes, and passes on a failure that looks like a bug.
 * - A command in flight when a primary dies gets the labels by which the driver repeats it. The unpatched driver leaves them out
 *   when the connection pool was cleared meanwhile, which is nearly always the case.
 * Throws an Error for another driver version, so that a missing patch is noticed.
 */
export function patchMongodbDriver(): void {
  if (isMended) return;
  const { Connection, Server } = driverInside();
  const { writeCommand } = Connection.prototype;
  Connection.prototype.writeCommand = function (...args) {
    return untilClosed(this.socket, writeCommand.apply(this, args));
  };
  const { decorateCommandError } = Server.prototype;
  Server.prototype.decorateCommandError = function (...failed) {
    return labelled(decorateCommandError.apply(this, failed), failed);
  };
  isMended = true;
}

/** The internals of the copy of the driver that mongoose uses. */
function driverInside(): DriverInside {
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const files = ['package.json', 'lib/cmap/connection.js', 'lib/sdam/server.js'];
  const inside: unknown = Object.assign({}, ...files.map((file): unknown => ofMongoose(`mongodb/${file}`)));
  if (isTested(inside)) return inside;
  throw new Error(
    `the MongoDB driver is not ${testedVersion}, which store/database/patch-mongodb-driver.ts was made for`,
  );
}

const isTested = (inside: unknown): inside is DriverInside =>
  typeof inside === 'object' && inside !== null && 'version' in inside && inside.version === testedVersion;

/** Labels a network error as the driver itself does when the connection's pool was not cleared. */
function labelled(error: unknown, [, command, options]: FailedCommand): unknown {
  if (!(error instanceof mongo.MongoNetworkError)) return error;
  const session = options?.session;
  const endsTransaction = 'commitTransaction' in command || 'abortTransaction' in command;
  const isWithin = session?.inTransaction() === true && !endsTransaction;
  error.addErrorLabel(isWithin ? 'TransientTransactionError' : 'RetryableWriteError');
  // The server session must not be used again after a network error.
  if (session?.hasEnded === false) session.serverSession.isDirty = true;
  return error;
}

async function untilClosed(socket: Socket, written: Promise<unknown>): Promise<unknown> {
  let tellClosed = (): void => undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    tellClosed = () => reject(new mongo.MongoNetworkError('the connection was closed while a command was written'));
  });
  if (socket.closed) tellClosed();
  socket.once('close', tellClosed);
  try {
    return await Promise.race([written, closed]);
  } catch (error) {
    // Only errors of the socket itself; a command that can't be encoded keeps its own error.
    if (!(error instanceof Error) || error !== socket.errored) throw error;
    throw new mongo.MongoNetworkError(error.message, { cause: error });
  } finally {
    socket.off('close', tellClosed);
  }
}
