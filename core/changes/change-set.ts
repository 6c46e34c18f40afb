import type { AccountId } from '../ids.ts';

/** What pages show, and what may have changed. */
export const changeKinds = ['items', 'orders', 'deliveries', 'bulkSyncs'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Something of an account has changed. It names rows and says nothing of their content. */
export interface Change {
  readonly accountId: AccountId;
  readonly kind: ChangeKind;
  /** External ids of items, ids of bulk syncs and orders; null: any. */
  readonly ids: readonly string[] | null;
}

/** More than this many are "any". */
const idsMax = 20;

/** Changes that are told together: one for each account and kind. */
export class ChangeSet {
  readonly #changes = new Map<string, { readonly accountId: AccountId; kind: ChangeKind; ids: Set<string> | null }>();

  get size(): number {
    return this.#changes.size;
  }

  add({ accountId, kind, ids }: Change): void {
    const key = `${kind} ${accountId}`;
    const known = this.#changes.get(key);
    if (known === undefined) {
      this.#changes.set(key, { accountId, kind, ids: ids === null || ids.length > idsMax ? null : new Set(ids) });
      return;
    }
    if (known.ids === null) return;
    for (const id of ids ?? []) known.ids.add(id);
    if (ids === null || known.ids.size > idsMax) known.ids = null;
  }

  /** Takes out the oldest ones. */
  take(max: number): Change[] {
    const taken = [...this.#changes].slice(0, max);
    for (const [key] of taken) this.#changes.delete(key);
    return taken.map(([, { accountId, kind, ids }]) => ({ accountId, kind, ids: ids === null ? null : [...ids] }));
  }

  clear(): void {
    this.#changes.clear();
  }
}
