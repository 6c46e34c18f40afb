import { dueFrom } from '../core/due.ts';
import type { Item } from '../core/items/item.ts';
import { takeShortSteps } from '../core/items/short-steps.ts';
import { Batcher } from '../platform/concurrency/batcher.ts';
import type { Throttle } from '../platform/concurrency/throttle.ts';
import type { Logger } from '../platform/logger.ts';
import { inSpan, type Tracing } from '../platform/tracing.ts';
import { isStoreUnavailable, type StoreConnection } from '../store/database/connection.ts';
import { changeDue } from '../store/dispatch/due-rows.ts';
import { findDueItems, type DueItem } from '../store/items/due-items.ts';
import { settleItems, type Settled, type Settlement } from '../store/items/settle-items.ts';
import { advanceInPlace, type AdvanceDependencies } from '../usecases/items/advance-item.ts';
import { BacklogPlaces } from './backlog-places.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { StartOptions, WorkflowStarts } from './start-workflows.ts';
import { turnFailed, Turns } from './turns.ts';

export interface ItemDispatchDependencies {
  readonly store: StoreConnection;
  readonly advance: AdvanceDependencies;
  readonly starts: Pick<WorkflowStarts, 'itemSoon'>;
  readonly throttle: Throttle;
  readonly logger: Pick<Logger, 'warn'>;
  readonly tracing?: Tracing | undefined;
  readonly now: () => Date;
}

/** Items of one account in one turn, or of several with little to do: as many as one transaction stores at once. */
const itemsPerTurn = 50;
/** Accounts with little to do that share one turn. */
const accountsPerTurn = 25;
/**
 * A transaction takes nine commands, for one item as for fifty. The rest after a turn lets more items gather for the
 * next transaction.
 */
const restsPerTurn = 2;
/** Items of the backlog in a turn while callers wait for other work. Few, so that the next turn comes soon. */
const itemsPerPressedTurn = 2;
/** Largest expected difference between the clocks of the writer and of this process. */
const clockToleranceMs = 50;

type Outcome = 'settled' | 'workflow' | 'overtaken' | 'unavailable';

/** Takes the short steps of items that callers have written, account by account. */
export function createItemTurns(dependencies: ItemDispatchDependencies): Turns {
  const { store, throttle, logger, now } = dependencies;
  return new Turns({
    ...{ atOnce: 2, together: accountsPerTurn, restsPerTurn, onFailure: turnFailed(logger, 'dispatch-items') },
    work: async (accounts) => {
      const soon = new Date(now().getTime() + clockToleranceMs);
      const due = await findDueItems(store, { by: 'worker', keys: accounts, now: soon, limit: itemsPerTurn });
      if (due.length === 0) return [];
      throttle.notice();
      const outcomes = await Promise.all(due.map((item) => dispatch(dependencies, item)));
      return withMore(accounts, due, outcomes);
    },
  });
}

/** Accounts that have more due items, or have to be looked at again. */
function withMore(accounts: readonly string[], due: readonly DueItem[], outcomes: readonly Outcome[]): Set<string> {
  if (outcomes.includes('unavailable')) throw new Error('the database did not store what some items came to');
  const again = new Set<string>(
    due.flatMap((item, index) => (outcomes[index] === 'overtaken' ? [item.accountId] : [])),
  );
  const last = due.at(-1);
  if (due.length < itemsPerTurn || last === undefined) return again;
  // The rows are sorted by account, so the accounts behind the last row were cut off.
  for (const account of accounts) if (account >= last.accountId) again.add(account);
  return again;
}

async function dispatch(
  { store, advance, starts, logger, tracing, now }: ItemDispatchDependencies,
  due: DueItem,
  options: StartOptions = {},
): Promise<Outcome> {
  const { itemId: _id, accountId, externalId, requestId, item } = due;
  const start = (): void => starts.itemSoon({ _id, accountId, externalId, requestId, due: due.due }, options);
  try {
    if (item !== undefined) {
      const span = { name: 'settle item', kind: 'internal', parent: due.due?.trace ?? {} } as const;
      const outcome = await inSpan(tracing, span, () => advanceInPlace(advance, item));
      if (outcome === 'workflow') start();
      return outcome;
    }
  } catch (error) {
    logger.warn({ itemId: _id, accountId, err: error }, 'item.not_settled');
    if (isStoreUnavailable(error)) return 'unavailable';
  }
  // An item that fails for a reason of its own, or can't be read, gets a workflow, where operators see it.
  await changeDue(store, 'items', { rows: [due], due: dueFrom('workflow', now()) });
  start();
  return 'workflow';
}

/**
 * The same for items of bulk syncs, after all other items: 50,000 items of one account never stand before another's. An
 * item that needs a workflow waits here until few enough are running, so that the engine has room for others.
 */
export function createBacklogTurns(dependencies: ItemDispatchDependencies): Turns {
  const { store, throttle, logger, now } = dependencies;
  const places = new BacklogPlaces({ store, isPressed: throttle.isPressed, onFree: (account) => turns.add(account) });
  const turns: Turns = new Turns({
    ...{ atOnce: 1, together: 1, onFailure: turnFailed(logger, 'dispatch-backlog') },
    work: async ([account = '']) => {
      const limit = throttle.isPressed() ? itemsPerPressedTurn : itemsPerTurn;
      const due = await findDueItems(store, { by: 'backlog', keys: [account], now: now(), limit });
      await places.enter(account);
      const taken = due.filter((row) => (row.item !== undefined && isShort(row.item, now())) || places.take(row));
      const work = (item: DueItem) => (): Promise<Outcome> => dispatch(dependencies, item, { isBacklog: true });
      const ended = await Promise.allSettled(
        taken.map((item) => (throttle.isPressed() ? throttle.pass(work(item)) : work(item)())),
      );
      places.begin(taken.map(({ itemId }) => itemId));
      const outcomes = ended.map(valueOf);
      if (outcomes.includes('unavailable')) throw new Error('the database did not store what some items came to');
      if (taken.length < due.length) places.wait([account]);
      const hasMore = outcomes.includes('overtaken') || due.length === limit;
      return hasMore && taken.length > 0 ? [account] : [];
    },
  });
  return turns;
}

function valueOf<Value>(end: PromiseSettledResult<Value>): Value {
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

const isShort = (item: NonNullable<DueItem['item']>, at: Date): boolean =>
  item.hasRun !== true && takeShortSteps(item, at).step.kind === 'settle';

/** Items whose steps are stored together. */
const itemsMax = 100;

/**
 * A commit that hangs in the database delays its own items, and for at most a second those that come later. Two
 * transactions of one account would conflict at its event counter, so items of an account never are in two commits at
 * once.
 */
export const settlingPace = {
  sizeMax: itemsMax,
  atOnce: 2,
  begin: 'after this turn',
  patience: { countedMs: 1_000, underWayMax: 8, waitMaxMs: 10_000, commitMaxMs: 20_000 },
} as const;

/**
 * Stores the results of items' steps: all that arrive during one commit go into the next transaction, whose deliveries
 * are then sent. One for each process. Resolves with null when the item has changed since it was read; rejects with the
 * item's own error.
 */
export function createSettler(
  store: StoreConnection,
  { deliveries, now }: { readonly deliveries: Pick<DeliveryQueues, 'plan'>; readonly now: () => Date },
): (settlement: Settlement) => Promise<Item | null> {
  const settler = new Batcher<Settlement, Settled>({
    ...settlingPace,
    keyOf: ({ previous }) => previous.accountId,
    commit: async (settlements) => {
      const plan = deliveries.plan();
      try {
        return await settleItems(store, settlements, { ...plan, now });
      } finally {
        plan.drop();
      }
    },
  });
  return async (settlement) => {
    const settled = await settler.add(settlement);
    if (settled instanceof Error) throw settled;
    return settled;
  };
}
