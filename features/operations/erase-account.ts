import { Refusal } from '../rules/errors.ts';
import { suspend } from '../accounts/administer-account.ts';
import { isSuspended } from '../accounts/store/accounts.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import { deleteLinks } from '../mail/store/links.ts';
import { findLastSeenUp } from '../items/store/items.ts';
import type { AccountId } from '../rules/ids.ts';
import { operatorCalled } from '../items/rules/journal.ts';
import { disconnectMember } from '../resellers/leave-reseller.ts';
import type { EngineOperations } from '../../gateways/orchestrator/operations-port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { findMeant, holdersOf, type AccountMeant } from './account-holders.ts';
import { findBlockers, type Blocker } from './erasure-blockers.ts';
import type { OperationsContext } from './find-account.ts';
import type { Holder } from './rules/held-rows.ts';
import { countHeldRows, countRows, eraseAccountRows, eraseHeldRows, type RowCounts } from './store/held-rows.ts';

type Needs = Pick<OperationsContext, 'store' | 'now' | 'operator'> & {
  readonly engine: Pick<EngineOperations, 'deleteRuns'>;
  readonly imageStore: ImageStore;
  /** Waits until what was under way has ended or failed: a delivery, the upload of a picture. */
  readonly settle: () => Promise<void>;
};

/** What an erasure would do, and what is in its way. */
export interface ErasurePlan {
  readonly accountId: string;
  /** It can't act any more; an erasure that was broken off leaves it so. */
  readonly isSuspended: boolean;
  readonly blockers: readonly Blocker[];
  /** Rows by collection, those of its sandbox included. */
  readonly rows: RowCounts;
  readonly images: number;
  /** Until then the marketplace may report a sale of its last auction, which would find no account; null: none. */
  readonly saleUntil: Date | null;
}

/** The marketplace reports a sale no later after the end of an auction. */
const reportedMs = 30 * 86_400_000;

/** Reads only. Throws {@link Refusal} NOT_FOUND, also for an account that is erased already. */
export const planErasure = async (context: Needs, email: string): Promise<ErasurePlan> =>
  planOf(context, await findMeant(context.store, email));

async function planOf(context: Needs, account: AccountMeant): Promise<ErasurePlan> {
  const { store, imageStore } = context;
  const { _id: accountId } = account;
  const holders = await holdersOf(store, account);
  const rows: Record<string, number> = {};
  for (const holder of holders)
    for (const [name, count] of Object.entries(await countHeldRows(store, holder)))
      rows[name] = (rows[name] ?? 0) + count;
  let images = 0;
  for (const { id } of holders) for await (const _key of imageStore.list(id)) images += 1;
  const isClosed = await isSuspended(store, accountId);
  // An erasure that was broken off may have deleted the pictures and not yet their records.
  const isRightStore = images > 0 || (isClosed && (await hasAny(imageStore.list())));
  if ((rows['image_records'] ?? 0) > 0 && !isRightStore)
    throw new Refusal('CONFLICT', 'This image store has none of its pictures: set IMAGE_STORE as the worker has it');
  const blockers = await findBlockers(context, accountId);
  return { accountId, isSuspended: isClosed, blockers, rows, images, saleUntil: await saleUntil(context, accountId) };
}

async function saleUntil({ store, now }: Needs, account: AccountId): Promise<Date | null> {
  const lastUp = await findLastSeenUp(store, account);
  const until = new Date((lastUp?.getTime() ?? 0) + reportedMs);
  return until > now() ? until : null;
}

async function hasAny(keys: AsyncIterable<string>): Promise<boolean> {
  for await (const _key of keys) return true;
  return false;
}

/** Rows that come while it runs are found by the next pass; more than some passes means that a process still works for it. */
const passesMax = 10;

/**
 * Erases an account, unless something is in its way ({@link findBlockers}). Keys, sessions, links and membership end first. Each
 * pass waits for what is under way, looks once more what is in the way, and deletes; the last one finds nothing. The row with its
 * address goes last, so the same call goes on with an erasure that was broken off. Orders stay without texts
 * (docs/personal-data.md). Returns what came in its way. Throws {@link Refusal} NOT_FOUND, CONFLICT, and OrchestratorUnavailable.
 */
export async function eraseAccount(context: Needs, email: string): Promise<ErasurePlan> {
  // By its id from here on: another account may get the address.
  const account = await findMeant(context.store, email);
  const plan = await planOf(context, account);
  if (plan.blockers.length > 0) return plan;
  await close(context, account);
  for (let pass = 1; pass <= passesMax; pass += 1) {
    await context.settle();
    const blockers = await findBlockers(context, account._id);
    if (blockers.length > 0) return { ...plan, isSuspended: true, blockers };
    const holders = await holdersOf(context.store, account);
    if ((await erasePass(context, holders)) > 0) continue;
    await forget(context, account, holders);
    // What a call has stored that began before the account was gone.
    await erasePass(context, holders);
    return plan;
  }
  throw new Refusal('CONFLICT', 'Something still works for the account: give the command again');
}

/** Keys, sessions, mailed links and the reseller of the account can't act for it any more. */
async function close(context: Needs, { _id: id }: AccountMeant): Promise<void> {
  await suspend(context, id, 'erasure');
  await deleteLinks(context.store, id);
  const credential = { kind: 'operator', name: context.operator } as const;
  const confirmCredential = (): Promise<void> => Promise.resolve();
  await disconnectMember({ ...context, confirmCredential }, { accountId: id, actingAccountId: id, credential });
}

/** Returns how much there was. */
async function erasePass({ store, engine, imageStore }: Needs, holders: readonly Holder[]): Promise<number> {
  let count = 0;
  for (const holder of holders) {
    count += await engine.deleteRuns(holder.id);
    count += await eraseHeldRows(store, holder);
    for await (const key of imageStore.list(holder.id)) {
      await imageStore.remove(key);
      count += 1;
    }
    count += await eraseHeldRows(store, holder, 'pictures');
  }
  return count;
}

/** The log of the account is left with one entry: that it was erased, and by whom. */
async function forget(
  { store, now, operator }: Needs,
  account: AccountMeant,
  holders: readonly Holder[],
): Promise<void> {
  const { _id: accountId } = account;
  const details = { orders: await countRows(store, 'orders', accountId) };
  await inTransaction(store, async (session) => {
    if (!(await eraseAccountRows(store, { account, ids: holders.map(({ id }) => id) }, session)))
      throw new Refusal(
        'CONFLICT',
        'The account was resumed and has another address now: give the command with that one',
      );
    const told = { accountId, actor: operatorCalled(operator), at: now() };
    await recordAudit(store, { ...told, kind: 'account_erased', details }, session);
  });
}
