import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder. scripts/test.mjs removes its own folder, and with it all of these, at the end of the run. */
export const temporaryFolder = (name: string): string =>
  mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), `${name}-`));
