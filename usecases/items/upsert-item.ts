import { Refusal } from '../../core/errors.ts';
import type { ItemId } from '../../core/ids.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import type { Item } from '../../core/items/item.ts';
import { createItem, updateItem } from '../../core/items/upsert-item.ts';
import type { Scope } from '../../core/scope.ts';
import type { ItemStore } from '../../store/items.ts';

export interface UpsertResult {
  readonly itemId: ItemId;
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly warnings: readonly RequestWarning[];
}

export interface UpsertDependencies {
  readonly items: ItemStore;
  /** Throws when the caller's key was revoked meanwhile: a body may have taken its time to arrive. */
  readonly confirmCredential: (scope: Scope) => Promise<void>;
  /** Tells the item's workflow that there is work; never awaited, because the sweep repeats what gets lost. */
  readonly nudge: (item: Item) => void;
  readonly newItemId: () => ItemId;
  readonly now: () => Date;
}

/** Writers of the same item queue up for at most this many rounds; each round one of them wins. */
const roundsMax = 60;

/**
 * Takes an ERP's push: state and intent become one durable write (protocol 1), or nothing at all when the content equals what
 * is stored. Throws {@link Refusal} CONFLICT when writers of the same item keep overtaking this one.
 */
export async function upsertItem(
  dependencies: UpsertDependencies,
  scope: Scope,
  push: { externalId: string; request: ItemRequest },
): Promise<UpsertResult> {
  for (let round = 0; round < roundsMax; round += 1) {
    const result = await tryUpsert(dependencies, scope, push);
    if (result !== null) return { ...result, warnings: push.request.warnings };
    await pause(round);
  }
  throw new Refusal('CONFLICT', 'The item is being changed by too many requests at once', { retryAfterSeconds: 1 });
}

type Attempted = Pick<UpsertResult, 'itemId' | 'outcome'> | null;

async function tryUpsert(
  { items, confirmCredential, nudge, newItemId, now }: UpsertDependencies,
  scope: Scope,
  push: { externalId: string; request: ItemRequest },
): Promise<Attempted> {
  const existing = await items.findCurrent(scope.accountId, push.externalId);
  const changed =
    existing === null
      ? createItem({ id: newItemId(), accountId: scope.accountId, ...push, now: now() })
      : updateItem(existing, push.request, now());
  if (changed === existing) return { itemId: changed.id, outcome: 'unchanged' };
  // Right before the write: a key that was revoked while the body was on its way writes nothing.
  await confirmCredential(scope);
  const stored = existing === null ? await insertNew(items, changed) : await items.replace(existing, changed);
  if (stored === null) return null;
  nudge(stored);
  return { itemId: stored.id, outcome: existing === null ? 'created' : 'updated' };
}

/** null when somebody else's push of the same external id was faster. */
const insertNew = async (items: ItemStore, item: Item): Promise<Item | null> =>
  (await items.insert(item)) ? item : null;

/** A majority read trails the newest write by a few milliseconds; asking again at once would only see the same. */
const pause = (round: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(2 + round * 2, 50)));
