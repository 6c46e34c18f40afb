import { once } from 'node:events';
import test from 'ava';
import { patch, patchMongodbDriver, type DriverInside } from '../../platform/database/patch-mongodb-driver.ts';

// That the patches mend what they are for, with real sockets and a real failover: patch-mongodb-driver.slow.test.ts.

type Connection = DriverInside['Connection']['prototype'];

/** A driver with an unknown version, in which the patched methods do what this one's do. */
function anotherDriver(writeCommand: Connection['writeCommand']): DriverInside {
  const cleanup = (): undefined => undefined;
  const decorateCommandError = (...[, , , error]: readonly unknown[]): unknown => error;
  const socket = { write: () => false, emit: () => false };
  return {
    version: '99.0.0',
    Connection: { prototype: { socket, cleanup, writeCommand } },
    Server: { prototype: { decorateCommandError } },
  };
}

test('the installed driver is the tested one, and both patches have their effect', async (t) => {
  t.deepEqual(await patchMongodbDriver(), []);
});

test('an unknown version of the driver is patched, with a warning', async (t) => {
  const driver = anotherDriver(async function (this: Pick<Connection, 'socket'>) {
    if (!this.socket.write()) await once(this.socket as never, 'drain');
  });
  const own = { ...driver.Connection.prototype, ...driver.Server.prototype };
  const [warning, ...others] = await patch(() => driver);
  t.regex(warning ?? '', /^patched, but 99\.0\.0 is not the tested version/);
  t.deepEqual(others, []);
  t.not(driver.Connection.prototype.cleanup, own.cleanup);
  t.not(driver.Server.prototype.decorateCommandError, own.decorateCommandError);
});

test('a driver in which the patches have no effect is left as it is, with a warning', async (t) => {
  const driver = anotherDriver(() => new Promise(() => undefined));
  const own = { ...driver.Connection.prototype, ...driver.Server.prototype };
  t.deepEqual(await patch(() => driver), ['not patched: Error: a command outlasts its connection']);
  t.is(driver.Connection.prototype.cleanup, own.cleanup);
  t.is(driver.Server.prototype.decorateCommandError, own.decorateCommandError);
});

test('a driver without the patched parts is left as it is, with a warning', async (t) => {
  const missing = new Error('Cannot find module');
  const find = () => {
    throw missing;
  };
  t.deepEqual(await patch(find), [`not patched: ${String(missing)}`]);
});
