import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Home } from './home.ts';
import { isAlive } from './is-alive.ts';

/**
 * The processes that run in this folder: the supervisor and its children. A later start reads it, also after a crash.
 */
interface RunRecord {
  readonly pid: number;
  readonly startedAt: string;
  readonly apiUrl: string;
  readonly children: Readonly<Record<string, number>>;
}

/** The folder is in use. The message names the process and how to end it. */
export class FolderInUseError extends Error {
  override readonly name = 'SetupError';
}

/**
 * Allows one running system for each folder. Throws {@link FolderInUseError} while another runs, or while children of a
 * dead one live.
 */
export function takeRunLock(home: Home): RunLock {
  const previous = readRecord(home.lockFile);
  if (previous !== undefined) refuseWhileInUse(previous);
  rmSync(home.lockFile, { force: true });
  return new RunLock(home.lockFile);
}

/** The lock on a folder; {@link takeRunLock} takes it. */
export class RunLock {
  readonly #file: string;
  readonly #record: { pid: number; startedAt: string; apiUrl: string; children: Record<string, number> };

  constructor(file: string) {
    this.#file = file;
    this.#record = { pid: process.pid, startedAt: new Date().toISOString(), apiUrl: '', children: {} };
    // `wx` fails when another start was faster.
    writeFileSync(file, JSON.stringify(this.#record), { flag: 'wx' });
  }

  update(change: { apiUrl?: string; children?: Record<string, number> }): void {
    Object.assign(this.#record, change);
    writeFileSync(this.#file, JSON.stringify(this.#record));
  }

  release(): void {
    rmSync(this.#file, { force: true });
  }
}

function refuseWhileInUse(previous: RunRecord): void {
  if (previous.pid !== process.pid && isOurs(previous.pid, /start\.mjs|demo\.mjs|embedded/)) {
    const where = previous.apiUrl === '' ? 'it is still starting' : `its API is at ${previous.apiUrl}`;
    throw new FolderInUseError(
      `itembridge is running in this folder already (process ${String(previous.pid)}, since ${previous.startedAt}; ${where}). ` +
        `Stop it with Ctrl-C there or "kill ${String(previous.pid)}".`,
    );
  }
  const left = Object.entries(previous.children).filter(([, pid]) =>
    isOurs(pid, /mongod|temporal|bin\/(api|worker|simulators)\./),
  );
  if (left.length === 0) return;
  const named = left.map(([name, pid]) => `${name} (${String(pid)})`).join(', ');
  throw new FolderInUseError(
    `an earlier run left processes behind: ${named}. End them with "kill ${left.map(([, pid]) => String(pid)).join(' ')}" and start again.`,
  );
}

function readRecord(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

/** The operating system reuses process ids, so the command line must match, too. */
function isOurs(pid: number, command: RegExp): boolean {
  try {
    return isAlive(pid) && command.test(commandLineOf(pid));
  } catch {
    return false;
  }
}

function commandLineOf(pid: number): string {
  if (process.platform === 'linux') return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').replaceAll('\0', ' ');
  return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
}
