import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../core/errors.ts';
import type { ItemId } from '../../core/ids.ts';
import type { RequestWarning } from '../../core/items/item-content.ts';
import type { Item } from '../../core/items/item.ts';
import { isOnShortWay, takingShortWay } from '../../core/items/short-way.ts';
import type { Scope } from '../../core/scope.ts';
import { keptFresh } from '../../platform/concurrency/kept-fresh.ts';
import type { ItemStore } from '../../store/items/items.ts';
import type { Context } from '../context.ts';
import { requirePrecondition, type Precondition } from './precondition.ts';

export interface WriteDependencies extends Pick<Context, 'items' | 'confirmCredential' | 'runExclusive' | 'now'> {
  readonly hints: Pick<Context['hints'], 'nudgeItem'>;
  /** `lane`: what is short is left to the worker's own look (look-first.ts) and is not nudged. By default, all goes to a workflow. */
  readonly firstLook?: Context['firstLook'];
  /** Instead of a real wait between two rounds. */
  readonly pause?: Pause;
}

type Pause = (ms: number) => Promise<unknown>;

/** What every write of a caller says beside the change itself. */
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
  /** The write is no later word on the item than what a bulk sync says that was accepted before it. */
  readonly sparesBulks?: true;
  /** Reads by majority: 404, 409 and 412 are answered from it, and "unchanged" once the store has confirmed it. */
  readonly find: () => Promise<Item | null>;
  /** Decides without effects, once for each version that is read. Throws {@link Refusal}. */
  readonly decide: (found: Item | null) => WriteDecision | Promise<WriteDecision>;
}

export interface Written extends WriteDecision {
  readonly outcome: 'created' | 'updated' | 'unchanged';
}

/** What the caller learns. */
export interface WriteResult<Outcome extends string = Written['outcome']> {
  readonly itemId: ItemId;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly warnings: readonly RequestWarning[];
}

/** Some three seconds of being overtaken by other processes; each round one of them wins. */
const roundsMax = 80;

/**
 * The one door for what callers change: state and intent become one durable write (protocol 1), or nothing at all when the
 * change leaves the item as it is. Throws {@link Refusal} of `decide`, PRECONDITION_FAILED, UNAUTHORIZED for a key that was
 * revoked meanwhile, and CONFLICT when writers of the same item keep overtaking this one.
 */
export async function writeItem(dependencies: WriteDependencies, scope: Scope, write: ItemWrite): Promise<Written> {
  const attempt = (): Promise<Written | null> => tryWrite(dependencies, scope, write);
  const alone = await attempt();
  if (alone !== null) return alone;
  // Others write the same item. Were all to try again at once, each round would have one winner and cost a read of everybody.
  return dependencies.runExclusive(`${scope.accountId} ${write.externalId}`, () =>
    retryOnConflict(attempt, dependencies.pause),
  );
}

/**
 * For whoever has its turn: tries until `attempt` says that nobody was faster. The compare-and-set stays what decides, because
 * other processes write too. Throws {@link Refusal} CONFLICT after some three seconds.
 */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result | null>,
  pause: Pause = delay,
): Promise<Result> {
  for (let round = 0; round < roundsMax; round += 1) {
    const written = await attempt();
    if (written !== null) return written;
    // A majority read trails the newest write by a few milliseconds; asking again at once would only see the same.
    await pause(Math.min(2 + round * 2, 50));
  }
  throw new Refusal('CONFLICT', 'The item is being changed by too many requests at once', { retryAfterSeconds: 1 });
}

/** null when somebody else was faster. */
async function tryWrite(
  { items, confirmCredential, hints, firstLook = 'workflow', now }: WriteDependencies,
  scope: Scope,
  { find, decide, sparesBulks, precondition = {}, validateOnly = false }: ItemWrite,
): Promise<Written | null> {
  const found = await find();
  const decided = await decide(found);
  requirePrecondition(found, precondition);
  // Right before the write: a key that was revoked while the body was on its way writes nothing, and learns nothing.
  const confirm = keptFresh(() => confirmCredential(scope));
  await confirm();
  if (decided.item === found) {
    const isProven = validateOnly || (await items.isStill(found));
    return isProven ? { ...decided, outcome: 'unchanged' } : null;
  }
  const outcome = found === null ? 'created' : 'updated';
  if (validateOnly) return { ...decided, outcome };
  const item = firstLook === 'lane' ? takingShortWay(decided.item, now()) : decided.item;
  const stored =
    found === null
      ? await insertNew(items, item, confirm)
      : await items.replace(found, item, { isAccepted: sparesBulks !== true, confirm });
  if (stored === null) return null;
  if (!isOnShortWay(stored)) hints.nudgeItem(stored);
  return { ...decided, item: stored, outcome };
}

const insertNew = async (items: ItemStore, item: Item, confirm: () => Promise<void>): Promise<Item | null> =>
  (await items.insert(item, { isAccepted: true, confirm })) ? item : null;

export const resultOf = ({ item, outcome, warnings }: Written): WriteResult => ({
  itemId: item.id,
  revision: item.revision,
  outcome,
  warnings,
});
