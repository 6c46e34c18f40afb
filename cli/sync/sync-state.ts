import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is remembered of a sync until its outcome was shown: enough to go on with it, and nothing secret. */
export interface SyncState {
  readonly server: string;
  /** Fingerprint of the API key. */
  readonly key: string;
  readonly file: string;
  readonly startedAt: string;
  readonly idempotencyKey: string;
  /** Known once the upload was answered. */
  readonly bulkId?: string;
}

/** What makes two calls the same sync. */
export interface SyncIdentity {
  readonly server: string;
  readonly apiKey: string;
  readonly account: string | undefined;
  readonly digest: string;
  readonly mode: string;
  readonly confirm: boolean;
}

export const fingerprintOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex').slice(0, 16);

/** The states in a folder, one small file each, readable by their owner alone. */
export class SyncStates {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  find(identity: SyncIdentity): SyncState | undefined {
    return this.#read(nameOf(identity));
  }

  save(identity: SyncIdentity, state: SyncState): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, nameOf(identity));
    // In one step, so that a crash leaves the state before or after.
    writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }

  forget(identity: SyncIdentity): void {
    rmSync(join(this.#folder, nameOf(identity)), { force: true });
  }

  /** Those of one key at one server, newest first. */
  of(server: string, apiKey: string): SyncState[] {
    return this.#names()
      .map((name) => this.#read(name))
      .filter((state) => state !== undefined)
      .filter((state) => state.server === server && state.key === fingerprintOf(apiKey))
      .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt));
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    } catch {
      // Nobody has synced yet.
      return [];
    }
  }

  /** A file that can't be read is as good as none: the sync is begun anew, which does no harm. */
  #read(name: string): SyncState | undefined {
    try {
      const state: unknown = JSON.parse(readFileSync(join(this.#folder, name), 'utf8'));
      return isState(state) ? state : undefined;
    } catch {
      return undefined;
    }
  }
}

const nameOf = ({ server, apiKey, account, digest, mode, confirm }: SyncIdentity): string => {
  const parts = [server, fingerprintOf(apiKey), account ?? '', digest, mode, confirm];
  return `${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}.json`;
};

function isState(value: unknown): value is SyncState {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const needed = ['server', 'key', 'file', 'startedAt', 'idempotencyKey'];
  return (
    needed.every((name) => typeof fields.get(name) === 'string') &&
    /^(string|undefined)$/.test(typeof fields.get('bulkId'))
  );
}
