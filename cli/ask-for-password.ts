import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './exit-codes.ts';

/** Asks for a password at the terminal without echo. Throws {@link UsageError} without a terminal. */
export async function askForPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('No password: set ITEMBRIDGE_PASSWORD.');
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
