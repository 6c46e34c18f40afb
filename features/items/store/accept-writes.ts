import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { backoffMs } from '../../rules/backoff.ts';
import { groupBy } from '../../rules/group-by.ts';
import type { AccountId } from '../../rules/ids.ts';
import type { Item } from '../rules/item.ts';
import { isHeld } from '../rules/owed-work.ts';
import { Batcher } from '../../../platform/concurrency/batcher.ts';
import { asError } from '../../../platform/database/batch.ts';
import { isDuplicateKey, isStoreUnavailable, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransactionOnce, isTransient, type Session } from '../../../platform/database/transaction.ts';
import type { Delivery } from '../../webhooks/store/deliveries.ts';
import { waitingDeliveries, type DeliveryPlan } from '../../webhooks/store/make-deliveries.ts';
import { prepareWrite, type PreparedWrite } from './item-writes.ts';
import { later, Overtaken, requireUnchanged, storeWrites } from './store-writes.ts';

/** A change of an item with the events, the history and the orders that it brings. */
export interface ItemWrite {
  /** The item as it was read; null for a new item. */
  readonly previous: Item | null;
  readonly next: Item;
  /** A caller's write: the database stamps `acceptedAt` with its own time. */
  readonly isAccepted?: boolean | undefined;
}

/** The stored item; null when it has changed since it was read, and nothing was stored; or the write's own error. */
export type Accepted = Item | null | Error;

export interface AcceptParts {
  readonly store: StoreConnection;
  /** Called for each transaction. */
  readonly plan: () => DeliveryPlan;
  /** Called after the commit for each item that a workflow has to take. A hint: a relay starts what was not started. */
  readonly start: (item: Item) => void;
}

interface Ask {
  readonly write: ItemWrite;
  /** Called as soon as the outcome is known, because others of the same group may take longer. */
  readonly answer: (accepted: Accepted) => void;
}

interface Decided extends Omit<Ask, 'write'> {
  readonly write: PreparedWrite;
  readonly isAnswered: () => boolean;
}

interface Confirmed extends Ask {
  readonly confirm: () => Promise<void>;
}

export interface AcceptOptions extends Pick<ItemWrite, 'isAccepted'> {
  /** Called right before each time the write is sent: nothing is written when it throws. */
  readonly confirm?: () => Promise<void>;
}

export interface Acceptor {
  /** Accepts one write, together with others that come in the same moment. */
  readonly accept: (write: ItemWrite, options?: AcceptOptions) => Promise<Item | null>;
  /** Accepts many writes of one account in as few transactions as their rows allow. */
  readonly acceptAll: (writes: readonly ItemWrite[]) => Promise<Accepted[]>;
  /** Accepts the writes together with what `also` stores, in one transaction or not at all. */
  readonly acceptWith: (writes: WritesTogether, also: (session: Session) => Promise<void>) => Promise<void>;
}

/** Writes of one account that are stored together or not at all. */
export interface WritesTogether {
  readonly changes: readonly Omit<ItemWrite, 'isAccepted'>[];
  /** Items that were decided to stay as they are: the transaction confirms it. */
  readonly unchanged: readonly Item[];
}

/** Writes of one transaction. */
const writesMax = 100;

/**
 * What comes in one turn of the event loop shares a transaction, and what comes meanwhile shares the next one. A transaction that
 * hangs holds up its own writes, and others for a fifth of a second. A caller without an answer gets a 503.
 */
const pace = {
  sizeMax: writesMax,
  atOnce: 2,
  begin: 'after this turn',
  patience: { countedMs: 200, underWayMax: 60, waitMaxMs: 3_000, commitMaxMs: 10_000 },
} as const;

/** An account that has met a conflict has transactions of its own for this long, because a conflict undoes those of all. */
const aloneMs = 1_000;

/**
 * Stores writes of items: each with its events, deliveries, history and orders, or not at all. One for each process, because only
 * its own writes share transactions. Two writes of one item are never in two transactions at once.
 */
export function createAcceptor(parts: AcceptParts): Acceptor {
  const aloneUntil = new Map<AccountId, number>();
  const onConflict = (account: AccountId): void => {
    aloneUntil.set(account, performance.now() + aloneMs);
  };
  const isAlone = ({ write: { next } }: Ask): boolean => (aloneUntil.get(next.accountId) ?? 0) > performance.now();
  const batcher = new Batcher<Confirmed, undefined>({
    ...pace,
    keyOf: ({ write: { next } }) => `${next.accountId} ${next.externalId}`,
    commit: async (asks) => {
      for (const [account, until] of aloneUntil) if (until <= performance.now()) aloneUntil.delete(account);
      const confirmed = await confirmAll(asks);
      const groups = groupBy(firstOfEach(confirmed), (ask) => (isAlone(ask) ? ask.write.next.accountId : 'shared'));
      await Promise.all([...groups.values()].map((group) => acceptGroup({ ...parts, onConflict }, group)));
      return asks.map(() => undefined);
    },
  });
  return {
    accept: (write, { confirm = noQuestion, ...options } = {}) =>
      new Promise((resolve, reject) => {
        const answer = (accepted: Accepted): void => (accepted instanceof Error ? reject(accepted) : resolve(accepted));
        batcher.add({ write: { ...write, ...options }, answer, confirm }).catch(reject);
      }),
    acceptAll: async (writes) => {
      const accepted = new Map<ItemWrite, Accepted>();
      const asks = writes.map((write) => ({ write, answer: (outcome: Accepted) => void accepted.set(write, outcome) }));
      await acceptGroup({ ...parts, onConflict }, asks);
      return writes.map((write) => accepted.get(write) ?? null);
    },
    acceptWith: (writes, also) => acceptWith(parts, writes, also),
  };
}

/** For a command, which sends no deliveries: they wait for the workflows of their receivers. */
export const acceptorThatSendsNothing = (store: StoreConnection): Acceptor =>
  createAcceptor({ store, plan: waitingDeliveries, start: () => undefined });

const noQuestion = (): Promise<void> => Promise.resolve();

async function confirmAll(asks: readonly Confirmed[]): Promise<Ask[]> {
  const refusals = await Promise.all(asks.map(({ confirm }) => confirm().then(() => null, asError)));
  return asks.filter(({ answer }, index) => {
    const refusal = refusals[index] ?? null;
    if (refusal !== null) answer(refusal);
    return refusal === null;
  });
}

/** Of several writes of one item all but the first were decided on a version that the first replaces. */
function firstOfEach(asks: readonly Ask[]): Ask[] {
  const seen = new Set<string>();
  return asks.filter(({ write: { next }, answer }) => {
    const key = `${next.accountId} ${next.externalId}`;
    if (seen.has(key)) answer(null);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

type Parts = AcceptParts & { readonly onConflict: (account: AccountId) => void };

/** Answers every write. Never rejects. */
async function acceptGroup(parts: Parts, asks: readonly Ask[]): Promise<void> {
  const decided = asks.flatMap(({ write, answer }): Decided[] => {
    try {
      const { previous, next, isAccepted } = write;
      const prepared = prepareWrite({ previous, next }, { isAccepted });
      return [answeredOnce({ write: prepared, answer })];
    } catch (error) {
      answer(asError(error));
      return [];
    }
  });
  if (decided.length === 0) return;
  try {
    await acceptTogether(parts, decided, { isCareful: false });
  } catch (error) {
    if (isStoreUnavailable(error) && !isTransient(error)) answerAll(decided, error);
    else await acceptAgain(parts, decided);
  }
}

/** What was stored by one of several transactions is not tried again when a later one fails. */
function answeredOnce({ write, answer }: Omit<Decided, 'isAnswered'>): Decided {
  let isAnswered = false;
  return {
    write,
    isAnswered: () => isAnswered,
    answer: (accepted) => {
      if (!isAnswered) answer(accepted);
      isAnswered = true;
    },
  };
}

const answerAll = (asks: readonly Decided[], error: unknown): void => {
  for (const { answer } of asks) answer(asError(error));
};

/**
 * Once more together, with a look: an item that has changed, or a row that is there already, is then left out, and a conflict may be
 * over.
 */
async function acceptAgain(parts: Parts, asks: readonly Decided[]): Promise<void> {
  try {
    await acceptTogether(parts, asks, { isCareful: true });
  } catch {
    // A transaction that was ended does not say for whose row.
    const accounts = groupBy(asks, ({ write }) => write.next.accountId);
    await Promise.all([...accounts].map(([account, own]) => acceptAccount(parts, account, own)));
  }
}

/**
 * Several writes are sent without a look, because a conflict halves them anyway. One is sent with a look, which leaves out rows that
 * are there already.
 */
async function acceptWith(
  { store, plan, start }: AcceptParts,
  { changes, unchanged }: WritesTogether,
  also: (session: Session) => Promise<void>,
): Promise<void> {
  const writes = changes.map((change) => prepareWrite(change));
  await inPlan(plan(), (planned) =>
    inTransactionOnce(store, async (session) => {
      await requireUnchanged(store, unchanged, session);
      const careful = { isCareful: writes.length === 1, isWhole: true };
      const stored = await storeWrites(store, writes, { ...careful, plan: planned, session });
      await also(session);
      return stored;
    }),
  );
  for (const write of writes) if (isHandedOver(write)) start(write.stored);
}

/** Nothing was stored; the same may succeed when it is decided anew, or in smaller parts. */
export const isConflict = (error: unknown): boolean =>
  (isTransient(error) && error instanceof mongo.MongoServerError) ||
  isDuplicateKey(error) ||
  error instanceof Overtaken;

/** How long a write is tried while others write the same rows. */
const conflictsMaxMs = 3_000;

/** Halves what can't be stored together, down to the write whose row is locked or that is faulty, so that it holds up no other. */
async function acceptAccount(parts: Parts, account: AccountId, asks: readonly Decided[]): Promise<void> {
  const until = performance.now() + conflictsMaxMs;
  for (let tries = 0; ; tries += 1) {
    try {
      await acceptTogether(parts, asks, { isCareful: true });
      return;
    } catch (error) {
      const isAgain = isTransient(error) || isDuplicateKey(error) || error instanceof Overtaken;
      if (isAgain) parts.onConflict(account);
      if (asks.length > 1 && (isAgain || !isStoreUnavailable(error))) break;
      if (!isAgain || performance.now() > until) {
        answerAll(asks, error);
        return;
      }
      await pause(backoffMs(tries + 1, 1, 50));
    }
  }
  const half = Math.ceil(asks.length / 2);
  await Promise.all([asks.slice(0, half), asks.slice(half)].map((part) => acceptAccount(parts, account, part)));
}

/** Throws, and stores nothing, when one of the writes can't be stored. Answers all of them otherwise. */
async function acceptTogether(
  { store, plan, start }: AcceptParts,
  asks: readonly Decided[],
  { isCareful }: { readonly isCareful: boolean },
): Promise<void> {
  for (let left = asks.filter(({ isAnswered }) => !isAnswered()); left.length > 0;) {
    const taken = left.slice(0, writesMax);
    const outcomes = await inPlan(plan(), (planned) =>
      inTransactionOnce(store, (session) =>
        storeWrites(
          store,
          taken.map(({ write }) => write),
          { plan: planned, isCareful, session },
        ),
      ),
    );
    for (const [index, { write, answer }] of taken.entries()) {
      const outcome = outcomes[index] ?? null;
      if (outcome === later) continue;
      if (outcome !== null && isHandedOver(write)) start(outcome);
      answer(outcome);
    }
    left = left.filter((_ask, index) => index >= writesMax || outcomes[index] === later);
  }
}

/** Whether an accepted write leaves work for a workflow; any other write is a step of that workflow. */
export const isHandedOver = ({ previous, stored }: PreparedWrite): boolean =>
  isHeld(stored) && stored.revision > (previous?.revision ?? 0);

/** The deliveries of a transaction are sent after its commit; what was reserved for others is given back. */
async function inPlan<Outcome>(
  plan: DeliveryPlan,
  work: (plan: DeliveryPlan) => Promise<{ readonly outcomes: Outcome; readonly deliveries: readonly Delivery[] }>,
): Promise<Outcome> {
  try {
    const { outcomes, deliveries } = await work(plan);
    plan.onStored(deliveries);
    return outcomes;
  } finally {
    plan.drop();
  }
}
