import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedFault } from '../faults/plan-faults.ts';
import type { ViolationKind } from '../observed.ts';
import type { Actors } from '../run.ts';

/** A mistake in the product, the trouble that brings it out, and what the checker has to say of it. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly plan: readonly PlannedFault[];
  /** Only who is needed for it. */
  readonly actors: Actors;
  readonly expected: ViolationKind;
}

export interface Edit {
  /** Of the compiled product. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const every = (stepMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => 6_000 + index * stepMs);

export const mutants: readonly Mutant[] = [
  {
    // After a commit whose answer got lost it begins anew with another draft, and asks nobody whether the first one is up.
    name: 'a listing without a look for the reference',
    edits: [
      {
        file: 'features/listings/go-live.js',
        from: 'return follow(dependencies, seller, { ...of, doubt: error.message });',
        to: `return recordToRedraft(dependencies, of, { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' });`,
      },
    ],
    // Every answer to a commit is lost, for as long as it may take a slow machine to get to the first.
    plan: [
      {
        atMs: 1_000,
        forMs: 60_000,
        fault: { kind: 'marketplace', fault: { mode: 'drop-after', path: '/commit$', times: 1_000 } },
      },
    ],
    actors: 'erp',
    expected: 'two-listings',
  },
  {
    // Items are stored without their events, which follow in a transaction of their own: a process that dies in between loses them.
    name: 'events dropped in a crash',
    edits: [
      {
        file: 'features/items/store/store-writes.js',
        from: 'const due = [...taken].flatMap(eventsOf);',
        to: 'const due = [];',
      },
      {
        file: 'features/items/store/store-writes.js',
        from: 'return { outcomes: writes.map(outcome), deliveries };',
        to: `const late = [...taken].flatMap(eventsOf);
    setTimeout(async () => {
        const { inTransaction } = await import('../../../platform/database/transaction.js');
        await inTransaction(store, async (after) => {
            const at = store.clock.now();
            const stored = await insertEvents(store, await withoutStoredEvents(store, late, after), { now: at, session: after });
            const planned = stored.flatMap((event) => plan.planDeliveries(event, targetsOf(event.accountId), at));
            await insertDeliveries(store, planned, after);
        });
    }, 1_000);
    return { outcomes: writes.map(outcome), deliveries };`,
      },
    ],
    plan: every(8_000, 6).map((atMs, index) => ({
      atMs,
      forMs: 500,
      fault: { kind: 'kill', target: index % 2 === 0 ? 'worker-1' : 'worker-2' },
    })),
    actors: 'erp',
    expected: 'sequence',
  },
  {
    // The failure is counted before its delivery ends: after a death in between the delivery is tried, and counted, again.
    name: 'a failure counted apart from its delivery',
    edits: [
      {
        file: 'features/webhooks/record-outcome.js',
        from: 'const alsoWrite = (session) => noteEnd(this.#context, made, { at, session });',
        to: `await noteEnd(this.#context, made, { at });
    await pause(3_000);
    const alsoWrite = () => Promise.resolve();`,
      },
    ],
    // Either worker may be delivering, so both die.
    plan: every(8_000, 3).flatMap((atMs) =>
      (['worker-1', 'worker-2'] as const).map((target) => ({
        atMs,
        forMs: 500,
        fault: { kind: 'kill', target } as const,
      })),
    ),
    actors: 'bulk',
    expected: 'fail-count',
  },
];

/** Copies the compiled product into `folder` and plants the mistake. Throws when a place is not what it was. */
export function plant(productFolder: string, folder: string, { name, edits }: Mutant): void {
  cpSync(productFolder, folder, { recursive: true });
  for (const edit of edits) {
    const path = join(folder, edit.file);
    writeFileSync(path, planted(readFileSync(path, 'utf8'), edit, name));
  }
}

/** The file's text with the mistake in it. Throws when the place to change is not there once. */
export function planted(text: string, { file, from, to }: Edit, mutant: string): string {
  const places = text.split(from).length - 1;
  if (places !== 1) throw new Error(`${mutant}: ${file} has the place to change ${places} times: mend the self-test`);
  return text.replace(from, () => to);
}
