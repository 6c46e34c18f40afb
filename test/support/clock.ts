import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * The machine's clock, for tests of what goes by it: a running API, servers of others, certificates. Other tests name a moment
 * (`noon` in an-item.ts), and what only measures takes `performance.now()`.
 */
export const present = (aheadMs = 0): Date => new Date(Date.now() + aheadMs);

/** The clock of the file system: times of files go by the kernel's clock, which libfaketime does not set. */
export function fileSystemTime(): Date {
  const file = join(temporaryFolder('time'), 'now');
  writeFileSync(file, '');
  return statSync(file).mtime;
}

/** `read` must return at once: other tests of its process run beside this one, and read the same clock. */
export function whileMachineShows<Value>(ms: number, read: () => Value): Value {
  const original = Date.now;
  Date.now = () => ms;
  try {
    return read();
  } finally {
    Date.now = original;
  }
}
