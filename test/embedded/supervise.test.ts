import { join } from 'node:path';
import test from 'ava';
import { ManagedProcess } from '../../embedded/managed-process.ts';
import { describeStartFailure } from '../../embedded/supervise.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a person reads of a child that ends while it starts. */
async function readFailure(script: string): Promise<string> {
  const child = new ManagedProcess({
    name: 'api',
    command: process.execPath,
    args: ['--eval', script],
    logFile: join(temporaryFolder('logs'), 'api.log'),
    readySource: 'none',
    startTimeoutMs: 60_000,
    stopTimeoutMs: 0,
    waitReady: (announced) => announced.then(() => undefined),
  });
  return child.start().then(
    () => 'it started',
    (error: unknown) => describeStartFailure(child, error instanceof Error ? error : new Error(String(error))),
  );
}

test('a child that does not start is told with the last error of its log', async (t) => {
  t.is(
    await readFailure("throw new TypeError('no such setting')"),
    'api ended while starting (code 1); its log says: TypeError: no such setting',
  );
});
