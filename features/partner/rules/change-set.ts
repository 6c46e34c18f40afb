import type { AccountId } from '../../rules/ids.ts';

/** The kinds of rows that pages show. */
export const changeKinds = ['items', 'orders', 'deliveries', 'bulkSyncs', 'members'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A hint that rows of an account have changed. It names the rows and not their content. */
export interface Change {
  readonly accountId: AccountId;
  readonly kind: ChangeKind;
  /** External ids of items, ids of bulk syncs and orders; null: any row of the kind. */
  readonly ids: readonly string[] | null;
}

/** More ids than this become "any row". */
const idsMax = 20;

/** Collects changes: at most one for each account and kind. */
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

  /** Removes and returns the oldest changes. */
  take(max: number): Change[] {
    const taken = [...this.#changes].slice(0, max);
    for (const [key] of taken) this.#changes.delete(key);
    return taken.map(([, { accountId, kind, ids }]) => ({ accountId, kind, ids: ids === null ? null : [...ids] }));
  }

  clear(): void {
    this.#changes.clear();
  }
}
