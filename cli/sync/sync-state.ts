import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is remembered of a sync until its outcome was shown: enough to go on with it, and nothing secret. */
export interface SyncState {
  readonly server: string;
  /** Fingerprint of the API key. */
  readonly key: string;
  /** A reseller's reference of the member; absent for the account itself. */
  readonly account?: string | undefined;
  readonly file: string;
  readonly startedAt: string;
  readonly idempotencyKey: string;
  /** Known once the upload was answered. */
  readonly bulkId?: string | undefined;
  /** Nobody was to wait for its end. */
  readonly isDetached: boolean;
  /** Another sync of the same server, key and account was begun since: what this one sent may not be what the items are like now. */
  readonly isSuperseded: boolean;
}

/** Whose syncs. */
export interface SyncOwner {
  readonly server: string;
  readonly apiKey: string;
  readonly account: string | undefined;
}

/** What makes two calls the same sync. */
export interface SyncIdentity extends SyncOwner {
  readonly digest: string;
  readonly mode: string;
  readonly confirm: boolean;
}

/** As long as the service keeps a bulk sync. */
const keptForMs = 30 * 24 * 3_600_000;

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

  /** A sync that may change items from now on: the others of the same owner are not the newest any more. */
  begin(identity: SyncIdentity, state: SyncState): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of this.#names()) {
      const other = this.#read(name);
      if (other === undefined || !isOf(other, identity)) continue;
      if (Date.now() - Date.parse(other.startedAt) > keptForMs) this.#remove(name);
      else if (!other.isSuperseded) this.#write(name, { ...other, isSuperseded: true });
    }
    this.#write(nameOf(identity), state);
  }

  /** Unless another process has begun the same sync anew meanwhile. */
  update(identity: SyncIdentity, change: Pick<SyncState, 'idempotencyKey'> & Partial<SyncState>): void {
    const current = this.find(identity);
    if (current?.idempotencyKey === change.idempotencyKey) this.#write(nameOf(identity), { ...current, ...change });
  }

  forget(identity: SyncIdentity): void {
    this.#remove(nameOf(identity));
  }

  /** Forgets the one that made this bulk sync. */
  forgetBulk(bulkId: string): void {
    for (const name of this.#names()) if (this.#read(name)?.bulkId === bulkId) this.#remove(name);
  }

  /** Newest first. */
  of(owner: SyncOwner): SyncState[] {
    return this.#names()
      .map((name) => this.#read(name))
      .filter((state) => state !== undefined)
      .filter((state) => isOf(state, owner))
      .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt));
  }

  #write(name: string, state: SyncState): void {
    const file = join(this.#folder, name);
    // In one step, so that a crash leaves the state before or after.
    writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }

  #remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
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

const isOf = (state: SyncState, { server, apiKey, account }: SyncOwner): boolean =>
  state.server === server && state.key === fingerprintOf(apiKey) && state.account === account;

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
    ['isDetached', 'isSuperseded'].every((name) => typeof fields.get(name) === 'boolean') &&
    ['account', 'bulkId'].every((name) => /^(string|undefined)$/.test(typeof fields.get(name)))
  );
}
