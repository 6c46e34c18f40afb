import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The stored state of a sync until its outcome was shown: enough to continue it, and without secrets. */
export interface SyncState {
  readonly server: string;
  /** Hash of the API key. */
  readonly key: string;
  /** The reseller's reference for the member; undefined for the account itself. */
  readonly account?: string | undefined;
  readonly file: string;
  readonly startedAt: string;
  readonly idempotencyKey: string;
  /** Known once the upload was answered. */
  readonly bulkId?: string | undefined;
  /** True when the command was told not to wait for the end. */
  readonly isDetached: boolean;
  /** Another sync of the same server, key and account began later, so the items may have changed since this one. */
  readonly isSuperseded: boolean;
}

export interface SyncOwner {
  readonly server: string;
  readonly apiKey: string;
  readonly account: string | undefined;
}

/** Two calls with equal values are the same sync. */
export interface SyncIdentity extends SyncOwner {
  readonly digest: string;
  readonly mode: 'merge' | 'snapshot';
  readonly confirm: boolean;
  readonly leftOut: 'empty' | 'keep';
}

/** As long as the service keeps a bulk sync. */
const keptForMs = 30 * 24 * 3_600_000;

/** Identifies an API key without storing it: the first 16 hexadecimal digits of its SHA-256. */
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

  /** Stores a sync that may change items from now on; all other syncs of the owner become superseded. */
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

  /** Has no effect when another process has restarted the same sync meanwhile. */
  update(identity: SyncIdentity, change: Pick<SyncState, 'idempotencyKey'> & Partial<SyncState>): void {
    const current = this.find(identity);
    if (current?.idempotencyKey === change.idempotencyKey) this.#write(nameOf(identity), { ...current, ...change });
  }

  forget(identity: SyncIdentity): void {
    this.#remove(nameOf(identity));
  }

  /** Removes the state of this bulk sync. */
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
    // Written in one step, so that a crash leaves the old or the new state.
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
      // The folder does not exist before the first sync.
      return [];
    }
  }

  /** An unreadable file counts as missing: the sync starts again, which is harmless. */
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

const nameOf = ({ server, apiKey, account, digest, ...wish }: SyncIdentity): string => {
  const { mode, confirm, leftOut } = wish;
  const parts = [server, fingerprintOf(apiKey), account ?? '', digest, mode, confirm, leftOut];
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
