import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

const claims: string[] = [];

/**
 * Seconds pass between the choice of a port and the start of its server. Meanwhile another start would find the port
 * free, and would take the answering server for its own. So each start claims its ports for as long as its process
 * lives. @returns false when a living process has claimed the port, this one included
 */
export function claimPort(port: number): boolean {
  const folder = claimsFolder();
  const holders = (): number[] => holdersOf(folder, port).filter(isAlive);
  if (holders().length > 0) return false;
  // Each start writes its own file and then looks for others, so of two simultaneous starts at least one sees the
  // other.
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

/** One folder for each user, because one user can't remove another's files. */
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
