import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../exit-codes.ts';

/** The state of a file's sync, kept beside the file until the sync is over. Without secrets. */
export interface SyncNote {
  readonly server: string;
  /** Hash of the API key. */
  readonly key: string;
  readonly account: string | null;
  readonly idempotencyKey: string;
  /** When the upload was begun; null before. */
  readonly sentAt: string | null;
  /** Known once the upload was answered. */
  readonly bulkId: string | null;
}

/** A file that was taken out of the folder to be synced. */
export interface TakenFile {
  /** The name under which it came. */
  readonly name: string;
  /** The name with the time of taking in front, so that a later file may have the same name. */
  readonly stamped: string;
  readonly path: string;
}

export type Outcome = 'done' | 'failed';

/** Files in transfer are not touched: hidden ones, and those with the endings that programs use while writing. */
const unfinishedName = /^[.~]|~$|\.(tmp|temp|part|partial|filepart|crdownload|swp|lock|lck)$/i;

const noteSuffix = '.sync.json';
const stampForm = /^\d{8}T\d{9}Z-/;

/**
 * A folder into which another system puts files. A file moves to `in-progress`, and from there to `done` or `failed`.
 * Each step is one rename, so after a crash the file is in exactly one place.
 */
export class WatchedFolder {
  readonly #folder: string;
  /** Files of this tool that may be in the folder. */
  readonly #own: ReadonlySet<string>;

  /** Creates the three folders. Throws {@link UsageError} when that fails. */
  constructor(folder: string, own: readonly string[] = []) {
    this.#folder = folder;
    this.#own = new Set(own.map(identityOf).filter((id) => id !== undefined));
    try {
      if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is no folder.`);
      for (const name of ['in-progress', 'done', 'failed']) mkdirSync(join(folder, name), { recursive: true });
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`${folder} can't be watched: files have to be moved in it.`, { cause: error });
    }
  }

  /** The files in the folder, oldest first. `state` changes while a file is written. */
  waiting(): { readonly name: string; readonly size: number; readonly state: string }[] {
    return readdirSync(this.#folder)
      .filter((name) => !unfinishedName.test(name))
      .flatMap((name) => {
        const stat = statSync(join(this.#folder, name), { throwIfNoEntry: false });
        if (stat?.isFile() !== true || this.#own.has(`${stat.dev} ${stat.ino}`)) return [];
        const state = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
        return [{ name, size: stat.size, state, mtimeMs: stat.mtimeMs }];
      })
      .toSorted((one, other) => one.mtimeMs - other.mtimeMs || one.name.localeCompare(other.name));
  }

  /** Moves a file to `in-progress`; undefined when another process was faster or still holds it. */
  take(name: string, now: Date): TakenFile | undefined {
    const stamped = `${stampOf(now)}-${name}`;
    const path = this.#inProgress(stamped);
    if (existsSync(path)) return undefined;
    try {
      renameSync(join(this.#folder, name), path);
    } catch {
      return undefined;
    }
    return { name, stamped, path };
  }

  /**
   * The files that an earlier run left in `in-progress`, in the order of their taking. Notes without a file are
   * removed.
   */
  unfinished(): TakenFile[] {
    const names = readdirSync(this.#inProgress(''));
    for (const note of names.filter((name) => name.endsWith(noteSuffix)))
      if (!names.includes(note.slice(0, -noteSuffix.length))) rmSync(this.#inProgress(note), { force: true });
    return names
      .filter((name) => stampForm.test(name) && !name.endsWith(noteSuffix))
      .toSorted()
      .map((stamped) => ({ name: stamped.replace(stampForm, ''), stamped, path: this.#inProgress(stamped) }));
  }

  /** The note of a file, or `fresh` when it has none. Two processes get the same one. */
  noteOf({ stamped }: TakenFile, fresh: SyncNote): SyncNote {
    const path = this.#inProgress(stamped + noteSuffix);
    try {
      writeFileSync(path, textOf(fresh), { flag: 'wx', mode: 0o600 });
      return fresh;
    } catch {
      const known = readNote(path);
      if (known !== undefined) return known;
      // A process died while writing it, before anything was sent.
      this.keepNote({ stamped }, fresh);
      return fresh;
    }
  }

  /** Written in one step, so that a crash leaves the old or the new note. */
  keepNote({ stamped }: Pick<TakenFile, 'stamped'>, note: SyncNote): void {
    const path = this.#inProgress(stamped + noteSuffix);
    writeFileSync(`${path}.${process.pid}.tmp`, textOf(note), { mode: 0o600 });
    renameSync(`${path}.${process.pid}.tmp`, path);
  }

  /** The path of a report about a file. */
  pathOf(outcome: Outcome, stamped: string): string {
    return join(this.#folder, outcome, stamped);
  }

  /** The last step of a file; returns its place, relative to the folder. Another process may have made it already. */
  finish({ stamped, path }: TakenFile, outcome: Outcome): string {
    if (existsSync(path)) renameSync(path, this.pathOf(outcome, stamped));
    rmSync(this.#inProgress(stamped + noteSuffix), { force: true });
    return join(outcome, stamped);
  }

  #inProgress(name: string): string {
    return join(this.#folder, 'in-progress', name);
  }
}

const stampOf = (time: Date): string => time.toISOString().replaceAll(/[-:.]/g, '');

const textOf = (note: SyncNote): string => `${JSON.stringify(note, null, 2)}\n`;

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino}`;
}

function readNote(path: string): SyncNote | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

function isNote(value: unknown): value is SyncNote {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const isText = (name: string): boolean => typeof fields.get(name) === 'string';
  const isTextOrNull = (name: string): boolean => fields.get(name) === null || isText(name);
  return ['server', 'key', 'idempotencyKey'].every(isText) && ['account', 'sentAt', 'bulkId'].every(isTextOrNull);
}

/** Finds the complete files: those whose size and time have not changed for a while, by this process's clock. */
export class StableFiles {
  readonly #folder: WatchedFolder;
  readonly #settleMs: number;
  #seen: ReadonlyMap<string, { readonly state: string; readonly since: number }> = new Map();

  constructor(folder: WatchedFolder, settleMs: number) {
    this.#folder = folder;
    this.#settleMs = settleMs;
  }

  /** One look at `now` (ms): the complete files, oldest first, and those seen for the first time. An empty one is never complete. */
  look(now: number): { readonly complete: readonly string[]; readonly arrived: readonly string[] } {
    const waiting = this.#folder.waiting();
    const before = this.#seen;
    this.#seen = new Map(
      waiting.map(({ name, state }) => {
        const known = before.get(name);
        return [name, known?.state === state ? known : { state, since: now }];
      }),
    );
    const isComplete = (name: string): boolean => now - (this.#seen.get(name)?.since ?? now) >= this.#settleMs;
    return {
      complete: waiting.filter(({ name, size }) => size > 0 && isComplete(name)).map(({ name }) => name),
      arrived: waiting.filter(({ name }) => !before.has(name)).map(({ name }) => name),
    };
  }
}
