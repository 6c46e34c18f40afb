import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { mongo } from 'mongoose';

/** The driver version with which test/platform/patch-mongodb-driver.slow.test.ts was run, patched and unpatched. */
const testedVersion = '7.8.0';

/** The driver's internal connection class: one socket, one command at a time. The driver does not export it. */
interface DriverConnection {
  readonly socket: { write: () => boolean; readonly emit: (event: 'drain') => boolean };
  cleanup: (this: DriverConnection, error: Error) => void;
  readonly writeCommand: (command: unknown, options: unknown) => Promise<unknown>;
}

type FailedCommand = readonly [
  connection: unknown,
  command: Readonly<Record<string, unknown>>,
  options: { readonly session?: mongo.ClientSession } | undefined,
  error: unknown,
];

/** The driver's internal server class: it labels the failed commands that may be repeated. */
interface DriverServer {
  decorateCommandError: (this: unknown, ...failed: FailedCommand) => unknown;
}

/** The parts of the driver that are patched. */
export interface DriverInside {
  readonly version: string;
  readonly Connection: { readonly prototype: DriverConnection };
  readonly Server: { readonly prototype: DriverServer };
}

let warned: Promise<readonly string[]> | undefined;

/**
 * Patches the driver, once, in two places where it loses a command with its connection. Warns when the driver
 * is not the tested one, or when the patches have no effect and are undone. The service runs nevertheless. Returns the warnings.
 */
export function patchMongodbDriver(): Promise<readonly string[]> {
  warned ??= patch(driverOfMongoose).then((warnings) => {
    for (const warning of warnings) process.emitWarning(`MongoDB driver: ${warning}`);
    return warnings;
  });
  return warned;
}

function driverOfMongoose(): DriverInside {
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const files = ['package.json', 'lib/cmap/connection.js', 'lib/sdam/server.js'];
  const inside: unknown = Object.assign({}, ...files.map((file): unknown => ofMongoose(`mongodb/${file}`)));
  if (isInside(inside)) return inside;
  throw new Error('it has no class Connection or Server');
}

const isInside = (inside: unknown): inside is DriverInside =>
  typeof inside === 'object' && inside !== null && 'Connection' in inside && 'Server' in inside;

/** Exported for its test. */
export async function patch(find: () => DriverInside): Promise<readonly string[]> {
  try {
    const { version, Connection, Server } = find();
    await patchAndTry(Connection.prototype, Server.prototype);
    return version === testedVersion ? [] : [`patched, but ${version} is not the tested version ${testedVersion}`];
  } catch (error) {
    return [`not patched: ${String(error)}`];
  }
}

async function patchAndTry(connection: DriverConnection, server: DriverServer): Promise<void> {
  const [{ cleanup }, { decorateCommandError }] = [connection, server];
  connection.cleanup = function (error) {
    cleanup.call(this, error);
    endWrite(this);
  };
  server.decorateCommandError = function (...failed) {
    return labelled(decorateCommandError.apply(this, failed), failed);
  };
  try {
    await tryWrites(connection);
    tryLabels(server);
  } catch (error) {
    Object.assign(connection, { cleanup });
    Object.assign(server, { decorateCommandError });
    throw error;
  }
}

/**
 * A command waits for its socket to drain or to fail. It would miss a socket that only closes, and pass on a failure that looks like
 * a bug. So it goes on to the driver's next check, which throws the network error by which the connection ended.
 */
function endWrite({ socket }: DriverConnection): void {
  socket.write = () => true;
  socket.emit('drain');
}

/** One command waits, the other comes when the connection has ended. */
async function tryWrites({ cleanup, writeCommand }: DriverConnection): Promise<void> {
  const socket = Object.assign(new EventEmitter(), { write: () => false, destroy: () => undefined });
  const connection = Object.assign(new EventEmitter(), { socket, cleanup, writeCommand });
  const write = (): Promise<unknown> =>
    connection.writeCommand({ toBin: () => Promise.resolve([]) }, { agreedCompressor: 'none' });
  const waiting = write();
  await turn();
  connection.cleanup(new mongo.MongoNetworkError('tried'));
  const ended = Promise.all([waiting, write()]).then(() => true);
  if (!(await Promise.race([ended, turn(false)]))) throw new Error('a command outlasts its connection');
}

/**
 * Labels a network error, so that the driver repeats its command. The driver does it itself, but not when the connection's pool was
 * cleared meanwhile, which is nearly always the case when a primary dies.
 */
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

/** The failed command's connection is older than the pool. */
function tryLabels({ decorateCommandError }: DriverServer): void {
  const error = new mongo.MongoNetworkError('tried');
  decorateCommandError.call({ pool: { generation: 1 } }, { generation: 0 }, {}, undefined, error);
  if (!error.hasErrorLabel('RetryableWriteError')) throw new Error('a network error gets no label');
}
