import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** The files of this process. */
const claims: string[] = [];

/**
 * Between the look at a port and the start of the server on it there are seconds in which another start would find it free too, and would
 * take the server that answers there for its own. So a port is claimed for as long as this process lives.
 * @returns false when a living process has it, this one included
 */
export function claimPort(port: number): boolean {
  const folder = claimsFolder();
  const holders = (): number[] => holdersOf(folder, port).filter(isAlive);
  if (holders().length > 0) return false;
  // Each start has a file of its own and looks after it has written: of two at the same moment at least one sees the other.
  const own = join(folder, `${String(port)}.${String(process.pid)}`);
  writeFileSync(own, '');
  if (holders().some((pid) => pid !== process.pid)) {
    rmSync(own, { force: true });
    return false;
  }
  if (claims.length === 0) process.once('exit', releaseAll);
  claims.push(own);
  return true;
}

function releaseAll(): void {
  for (const file of claims) rmSync(file, { force: true });
}

/** One folder for each user, because another's files can't be removed. */
function claimsFolder(): string {
  const folder = join(tmpdir(), `itembridge-ports-${String(process.getuid?.() ?? 0)}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

const holdersOf = (folder: string, port: number): number[] =>
  readdirSync(folder).flatMap((name) => {
    const [claimed, pid] = name.split('.').map(Number);
    return claimed === port && pid !== undefined ? [pid] : [];
  });
