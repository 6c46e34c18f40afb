import { Refusal } from '../rules/errors.ts';
import type { ItemId } from '../rules/ids.ts';
import { showUnseen } from '../rules/unseen-text.ts';
import type { FieldProblem } from '../rules/field-problems.ts';
import type { Item, ItemKey } from './rules/item.ts';
import { actorOf, type Actor } from './rules/journal.ts';
import type { Scope } from '../rules/scope.ts';
import { keptFresh } from '../../platform/concurrency/kept-fresh.ts';
import { untilWon, type Rounds } from '../../platform/concurrency/until-won.ts';
import type { ItemStore } from './store/items.ts';
import type { Context } from '../context.ts';

export interface WriteDependencies extends Pick<Context, 'items' | 'confirmCredential' | 'runExclusive' | 'now'> {
  /** Replaces the real wait between two rounds. */
  readonly pause?: Rounds['pause'];
}

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
  readonly warnings: readonly FieldProblem[];
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

export interface WriteResult<Outcome extends string = Written['outcome']> {
  readonly itemId: ItemId;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly warnings: readonly FieldProblem[];
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

export interface ItemChange extends WriteTarget, Pick<ItemWrite, 'sparesBulks'> {
  /** Decides without effects, once for each version that is read. Throws {@link Refusal}. */
  readonly decide: (item: Item, by: { readonly now: Date; readonly actor: Actor }) => WriteDecision;
}

/** {@link writeItem} for the current item of the external id, or its archived one. Throws also Refusal NOT_FOUND. */
export const changeExisting = (
  dependencies: WriteDependencies,
  scope: Scope,
  { decide, ...change }: ItemChange,
): Promise<Written> =>
  writeItem(dependencies, scope, {
    ...change,
    find: () => dependencies.items.findVisible(scope.accountId, change.externalId),
    decide: (found) =>
      decide(requireItem(found, change.externalId), { now: dependencies.now(), actor: actorOf(scope) }),
  });

/**
 * For the writer whose turn it is: repeats `attempt` until it wins. The compare-and-set still decides, because other processes
 * write too. Throws {@link Refusal} CONFLICT after about three seconds.
 */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result | null>,
  pause?: Rounds['pause'],
): Promise<Result> {
  const written = await untilWon(attempt, { rounds: roundsMax, pause });
  if (written !== null) return written;
  throw new Refusal('CONFLICT', 'The item is being changed by too many requests at once', { retryAfterSeconds: 1 });
}

/** Returns null when another writer was faster. */
async function tryWrite(
  { items, confirmCredential }: WriteDependencies,
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
      ? await items.insert(item, { isAccepted: true, confirm })
      : await items.replace(found, item, { isAccepted: sparesBulks !== true, confirm });
  if (stored === null) return null;
  return { ...decided, item: stored, outcome };
}

const traced = (item: Item, { trace }: Scope): Item => (trace === undefined ? item : { ...item, trace });

export const resultOf = ({ item, outcome, warnings }: Written): WriteResult => ({
  itemId: item.id,
  revision: item.revision,
  outcome,
  warnings,
});

/** `any` is `*`: any version. Otherwise tags of {@link itemTag}, one of which must match. A weak one begins with `W/`, as none of ours does. */
export type TagCondition = 'any' | readonly string[];

/** Conditions on the item for a write to take effect; an absent member is no condition. */
export interface Precondition {
  readonly ifMatch?: TagCondition;
  readonly ifNoneMatch?: TagCondition;
}

/** Names one version of an item as its caller sees it: the ETag without its quotes. */
export const itemTag = (item: { readonly id: string; readonly revision: number }): string =>
  `${item.id}.${item.revision}`;

/**
 * The tag of the whole item. It changes with everything that the row shows, including the running auction and the
 * images. `If-Match` accepts it like {@link itemTag}, because a write competes with accepted writes alone.
 */
export const wholeItemTag = (item: Pick<Item, 'id' | 'revision' | 'version'>): string =>
  `${itemTag(item)}.${item.version}`;

/**
 * Checked on the version that the compare-and-set then replaces, so no write can come in between; `null` is no item.
 * Throws {@link Refusal} PRECONDITION_FAILED.
 */
function requirePrecondition(item: Item | null, { ifMatch, ifNoneMatch }: Precondition): void {
  if (ifMatch !== undefined && !matches(item, ifMatch)) {
    if (item === null) throw new Refusal('PRECONDITION_FAILED', 'There is no item to match (If-Match)');
    throw movedOn('item', ifMatch);
  }
  if (ifNoneMatch !== undefined && matches(item, ifNoneMatch)) {
    throw new Refusal('PRECONDITION_FAILED', 'The item exists already (If-None-Match)');
  }
}

/** The refusal of a write whose `If-Match` names no present version of the row. */
export function movedOn(what: 'item' | 'order', condition: TagCondition): Refusal {
  const message = `The ${what} has moved on since that version was read (If-Match)`;
  const isWeak = condition !== 'any' && condition.some((tag) => tag.startsWith('W/'));
  const advice =
    '; a weak tag (W/) never matches: send the ETag without W/, and look for a proxy that weakens it, as nginx does when it packs answers';
  return new Refusal('PRECONDITION_FAILED', isWeak ? `${message}${advice}` : message);
}

function matches(item: Item | null, condition: TagCondition): boolean {
  if (item === null || condition === 'any') return item !== null;
  const tag = itemTag(item);
  return condition.some((one) => one === tag || (one.startsWith(`${tag}.`) && /^\d+$/.test(one.slice(tag.length + 1))));
}

/** Returns the item of an external id. Throws {@link Refusal} NOT_FOUND. */
export function requireItem(item: Item | null, externalId: string): Item {
  if (item === null)
    throw new Refusal('NOT_FOUND', `No item with external_id ${JSON.stringify(showUnseen(externalId))}`);
  return item;
}

/** Like {@link requireItem}, but an archived item may only be read and removed. Throws also CONFLICT. */
export function requireCurrent(found: Item | null, externalId: string): Item {
  const item = requireItem(found, externalId);
  if (item.current) return item;
  throw new Refusal('CONFLICT', 'The item was deleted and is only kept as archived: a PUT makes a new one');
}

const changeRoundsMax = 20;

/**
 * Applies a pure change to an item with compare-and-set, and reads again after a lost race. Returns the stored item, null when
 * the item is gone, or the item as read when `change` returns it unchanged. Throws an Error after 20 lost rounds.
 */
export async function rewriteItem(items: ItemStore, key: ItemKey, change: (item: Item) => Item): Promise<Item | null> {
  const rewrite = async (): Promise<{ readonly item: Item | null } | null> => {
    const item = await items.findById(key);
    if (item === null) return { item };
    const changed = change(item);
    const stored = changed === item ? item : await items.replace(item, changed);
    return stored === null ? null : { item: stored };
  };
  const rewritten = await untilWon(rewrite, { rounds: changeRoundsMax });
  if (rewritten === null) throw new Error(`item ${key.id} was overtaken ${changeRoundsMax} times`);
  return rewritten.item;
}
