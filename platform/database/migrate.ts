import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDuplicateKey, type StoreConnection } from './connection.ts';
import { readSchemaVersion, requireKnown, schemaRows, type SchemaRow, type SchemaVersion } from './schema-version.ts';

/** One change of the structure or of rows. A process that dies leaves it half done, so it is written to be run again. */
export interface Step {
  /** One more than the step before. The last one's is the version that this release needs. */
  readonly number: number;
  readonly does: string;
  /** From it on, older processes can't work with the rows and do not start; without it those that could still can. */
  readonly compatibleFrom?: number;
  /**
   * Without it the step stands for the indexes of the release, which are made before all steps. `signal` aborts when another process
   * has taken over: look at it before each piece.
   */
  readonly run?: (store: StoreConnection, signal: AbortSignal) => Promise<void>;
}

export interface MigrateOptions {
  readonly steps: readonly Step[];
  /** Gets a line for each step. */
  readonly tell?: (line: string) => void;
  /** How long a process that died keeps others from going on. */
  readonly leaseMs?: number;
}

/**
 * Makes the collections and indexes, and runs the steps that the database lacks, in their order. One process does it at a time; others
 * wait for it and find it done. A database of a newer version that this one can work with stays as it is. Throws
 * {@link DatabaseTooNewError}, or what a step throws, and then the next run begins with that step.
 */
export async function migrate(
  store: StoreConnection,
  { steps, tell = () => undefined, leaseMs = 30_000 }: MigrateOptions,
): Promise<SchemaVersion> {
  const lease = await takeLease(store, { tell, leaseMs });
  try {
    const found = await readSchemaVersion(store);
    const own = steps.at(-1)?.number ?? 0;
    requireKnown(found, own);
    if (found.version <= own) {
      await store.ensureIndexes();
      for (const step of steps.filter(({ number }) => number > found.version))
        await runStep(store, { step, lease, tell });
    }
    return await readSchemaVersion(store);
  } finally {
    await lease.release();
  }
}

/** Starts of older processes are refused before the step, because half of it may already be too much for them. */
async function runStep(
  store: StoreConnection,
  { step, lease, tell }: { readonly step: Step; readonly lease: Lease; readonly tell: (line: string) => void },
): Promise<void> {
  const { number, does, compatibleFrom, run } = step;
  tell(`${number}: ${does}`);
  await lease.write({ ...(compatibleFrom !== undefined && { compatibleFrom }) });
  await run?.(store, lease.lost);
  await lease.write({ version: number });
}

interface Lease {
  /** Raises what is lower, and throws when another process has taken the lease over. */
  write(change: Partial<SchemaVersion>): Promise<void>;
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

async function takeLease(
  store: StoreConnection,
  { tell, leaseMs }: Required<Omit<MigrateOptions, 'steps'>>,
): Promise<Lease> {
  const rows = schemaRows(store);
  const holder = randomUUID();
  const heldUntil = (): Date => new Date(store.clock.now().getTime() + leaseMs);
  const take = async (): Promise<boolean> => {
    const isFree = { $or: [{ holder: { $exists: false } }, { heldUntil: { $lt: store.clock.now() } }] };
    const change = { $set: { holder, heldUntil: heldUntil() }, $setOnInsert: { version: 0, compatibleFrom: 0 } };
    // The row of another holder does not match, and a second one can't be inserted.
    return rows.updateOne({ _id: 'schema', ...isFree }, change, { upsert: true }).then(
      () => true,
      (error: unknown) => {
        if (isDuplicateKey(error)) return false;
        throw error;
      },
    );
  };
  for (let tries = 0; !(await take()); tries += 1) {
    if (tries === 0) tell('another process migrates: waiting for it');
    await pause(leaseMs / 30);
  }
  const own = { _id: 'schema', holder } as const;
  const lost = new AbortController();
  const requireOwn = ({ matchedCount }: { readonly matchedCount: number }): void => {
    if (matchedCount === 0) lost.abort(new Error('another process has taken the migration over'));
  };
  const renewal = setInterval(() => {
    // A renewal that fails is made up for by the next.
    rows.updateOne(own, { $set: { heldUntil: heldUntil() } }).then(requireOwn, () => undefined);
  }, leaseMs / 3);
  return {
    lost: lost.signal,
    write: async (change: Partial<SchemaRow>) => {
      requireOwn(await rows.updateOne(own, { $max: change }));
      lost.signal.throwIfAborted();
    },
    release: async () => {
      clearInterval(renewal);
      await rows.updateOne(own, { $unset: { holder: '', heldUntil: '' } });
    },
  };
}
