import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../core/errors.ts';
import type { ItemId } from '../../core/ids.ts';
import type { RequestWarning } from '../../core/items/item-content.ts';
import type { Item } from '../../core/items/item.ts';
import type { Scope } from '../../core/scope.ts';
import { keptFresh } from '../../platform/concurrency/kept-fresh.ts';
import { dueLine } from '../../store/dispatch/due-rows.ts';
import type { ItemStore } from '../../store/items/items.ts';
import type { Context } from '../context.ts';
import { requirePrecondition, type Precondition } from './precondition.ts';

export interface WriteDependencies extends Pick<
  Context,
  'items' | 'ring' | 'confirmCredential' | 'runExclusive' | 'now'
> {
  /** Replaces the real wait between two rounds. */
  readonly pause?: Pause;
}

type Pause = (ms: number) => Promise<unknown>;

/** The parameters common to every write of a caller. */
export interface WriteTarget {
  readonly externalId: string;
  readonly precondition?: Precondition;
  /** Checks everything and says what would happen, without any effect. */
  readonly validateOnly?: boolean;
}

export interface WriteDecision {
  /** The item as it should be; the one that was read when there is nothing to do. */
  readonly item: Item;
  readonly warnings: readonly RequestWarning[];
}

export interface ItemWrite extends WriteTarget {
  /** The write does not supersede lines of a bulk sync that was accepted before it. */
  readonly sparesBulks?: true;
  /**
   * Reads by majority. 404, 409 and 412 are answered from this read; "unchanged" only once the store has confirmed the version.
   */
  readonly find: () => Promise<Item | null>;
  /** Decides without effects, once for each version that is read. Throws {@link Refusal}. */
  readonly decide: (found: Item | null) => WriteDecision | Promise<WriteDecision>;
}

export interface Written extends WriteDecision {
  readonly outcome: 'created' | 'updated' | 'unchanged';
}

/** The result for the caller. */
export interface WriteResult<Outcome extends string = Written['outcome']> {
  readonly itemId: ItemId;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly warnings: readonly RequestWarning[];
}

/** About three seconds of lost races against other processes; each round has one winner. */
const roundsMax = 80;

/**
 * The one entry for changes by callers: state and intent become one durable write (protocol 1), or none when nothing changes.
 * Throws {@link Refusal} of `decide`, PRECONDITION_FAILED, UNAUTHORIZED for a key that was revoked meanwhile. CONFLICT means that
 * writers of the same item keep overtaking this one.
 */
export async function writeItem(dependencies: WriteDependencies, scope: Scope, write: ItemWrite): Promise<Written> {
  const attempt = (): Promise<Written | null> => tryWrite(dependencies, scope, write);
  const alone = await attempt();
  if (alone !== null) return alone;
  // Other writers of the same item are active. Parallel retries would have one winner per round and cost every writer a read.
  return dependencies.runExclusive(`${scope.accountId} ${write.externalId}`, () =>
    retryOnConflict(attempt, dependencies.pause),
  );
}

/**
 * For the writer whose turn it is: repeats `attempt` until it wins. The compare-and-set still decides, because other processes
 * write too. Throws {@link Refusal} CONFLICT after about three seconds.
 */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result | null>,
  pause: Pause = delay,
): Promise<Result> {
  for (let round = 0; round < roundsMax; round += 1) {
    const written = await attempt();
    if (written !== null) return written;
    // A majority read is a few milliseconds behind the newest write; an immediate repeat would return the same version.
    await pause(Math.min(2 + round * 2, 50));
  }
  throw new Refusal('CONFLICT', 'The item is being changed by too many requests at once', { retryAfterSeconds: 1 });
}

/** Returns null when another writer was faster. */
async function tryWrite(
  { items, ring, confirmCredential }: WriteDependencies,
  scope: Scope,
  { find, decide, sparesBulks, precondition = {}, validateOnly = false }: ItemWrite,
): Promise<Written | null> {
  const found = await find();
  const decided = await decide(found);
  requirePrecondition(found, precondition);
  // Right before the write: a key that was revoked while the body arrived writes nothing and gets no result.
  const confirm = keptFresh(() => confirmCredential(scope));
  await confirm();
  if (decided.item === found) {
    const isProven = validateOnly || (await items.isStill(found));
    return isProven ? { ...decided, outcome: 'unchanged' } : null;
  }
  const outcome = found === null ? 'created' : 'updated';
  if (validateOnly) return { ...decided, outcome };
  const item = traced(decided.item, scope);
  const stored =
    found === null
      ? await insertNew(items, item, confirm)
      : await items.replace(found, item, { isAccepted: sparesBulks !== true, confirm });
  if (stored === null) return null;
  if (stored.due !== null) ring(dueLine('items', stored.due.by, stored.accountId));
  return { ...decided, item: stored, outcome };
}

const traced = (item: Item, { trace }: Scope): Item =>
  trace === undefined || item.due === null ? item : { ...item, due: { ...item.due, trace } };

const insertNew = async (items: ItemStore, item: Item, confirm: () => Promise<void>): Promise<Item | null> =>
  (await items.insert(item, { isAccepted: true, confirm })) ? item : null;

export const resultOf = ({ item, outcome, warnings }: Written): WriteResult => ({
  itemId: item.id,
  revision: item.revision,
  outcome,
  warnings,
});
