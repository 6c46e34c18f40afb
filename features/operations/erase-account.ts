import { Refusal } from '../rules/errors.ts';
import { setSuspension } from '../accounts/administer-account.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import { operatorCalled } from '../items/rules/journal.ts';
import { disconnectMember } from '../resellers/leave-reseller.ts';
import type { EngineOperations } from '../../gateways/orchestrator/operations-port.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { holdersOf } from './account-holders.ts';
import { findBlockers, type Blocker } from './erasure-blockers.ts';
import type { OperationsContext } from './find-account.ts';
import type { Holder } from './rules/held-rows.ts';
import { countHeldRows, eraseAccountRows, eraseHeldRows, type RowCounts } from './store/held-rows.ts';

type Needs = Pick<OperationsContext, 'store' | 'now' | 'operator'> & {
  readonly engine: Pick<EngineOperations, 'deleteRuns'>;
  readonly imageStore: ImageStore;
  /** Waits until what was under way has ended or failed: a delivery, the upload of a picture. */
  readonly settle: () => Promise<void>;
};

/** What an erasure would do, and what is in its way. */
export interface ErasurePlan {
  readonly accountId: string;
  readonly blockers: readonly Blocker[];
  /** Rows by collection, those of its sandbox included. */
  readonly rows: RowCounts;
  readonly images: number;
}

/** Reads only. Throws {@link Refusal} NOT_FOUND, also for an account that is erased already. */
export async function planErasure(context: Needs, email: string): Promise<ErasurePlan> {
  const { store, imageStore } = context;
  const holders = await found(context, email);
  const rows: Record<string, number> = {};
  for (const holder of holders)
    for (const [name, count] of Object.entries(await countHeldRows(store, holder)))
      rows[name] = (rows[name] ?? 0) + count;
  let images = 0;
  for (const { id } of holders) for await (const _key of imageStore.list(id)) images += 1;
  if (images === 0 && (rows['image_records'] ?? 0) > 0)
    throw new Refusal('CONFLICT', 'This image store has none of its pictures: set IMAGE_STORE as the worker has it');
  const { id: accountId } = accountOf(holders);
  return { accountId, blockers: await findBlockers(context, accountId), rows, images };
}

/** Rows that come while it runs are found by the next pass; more than some passes means that a process still works for it. */
const passesMax = 10;

/**
 * Erases an account, unless something is in its way ({@link findBlockers}). Keys and sessions end first, then its membership,
 * its workflows, its rows and pictures; the row with its address goes last, so the same call goes on with an erasure that was
 * broken off. Orders stay without texts (docs/personal-data.md). Returns what came in its way. Throws {@link Refusal}
 * NOT_FOUND, and OrchestratorUnavailable.
 */
export async function eraseAccount(context: Needs, email: string): Promise<ErasurePlan> {
  const plan = await planErasure(context, email);
  if (plan.blockers.length > 0) return plan;
  await close(context, email);
  for (let pass = 1; (await erasePass(context, email)) > 0; pass += 1) {
    if (pass === passesMax)
      throw new Refusal('CONFLICT', 'Something still works for the account: give the command again');
    await context.settle();
  }
  const blockers = await findBlockers(context, accountOf(await found(context, email)).id);
  if (blockers.length > 0) return { ...plan, blockers };
  await forget(context, await found(context, email));
  return plan;
}

const found = async ({ store }: Needs, email: string): Promise<readonly Holder[]> => {
  const holders = await holdersOf(store, email);
  if (holders.length > 0) return holders;
  throw new Refusal('NOT_FOUND', 'No account has this email');
};

/** {@link holdersOf} has it last. */
function accountOf(holders: readonly Holder[]): Holder {
  const account = holders.at(-1);
  if (account === undefined) throw new Error('no account');
  return account;
}

/** Nobody acts for the account any more: neither its keys and sessions nor its reseller. */
async function close(context: Needs, email: string): Promise<void> {
  await setSuspension(context, { email, isSuspended: true, reason: 'erasure' });
  const { id } = accountOf(await found(context, email));
  const credential = { kind: 'operator', name: context.operator } as const;
  const confirmCredential = (): Promise<void> => Promise.resolve();
  await disconnectMember({ ...context, confirmCredential }, { accountId: id, actingAccountId: id, credential });
}

/** Returns how much there was. */
async function erasePass(context: Needs, email: string): Promise<number> {
  const { store, engine, imageStore } = context;
  let count = 0;
  for (const holder of await found(context, email)) {
    count += await engine.deleteRuns(holder.id);
    count += await eraseHeldRows(store, holder);
    for await (const key of imageStore.list(holder.id)) {
      await imageStore.remove(key);
      count += 1;
    }
  }
  return count;
}

/** The log of the account is left with one entry: that it was erased, and by whom. */
async function forget({ store, now, operator }: Needs, holders: readonly Holder[]): Promise<void> {
  const account = accountOf(holders);
  const { orders = 0 } = await countHeldRows(store, account);
  const ids = holders.map(({ id }) => id);
  await inTransaction(store, async (session) => {
    await eraseAccountRows(store, ids, session);
    const told = { accountId: account.id, actor: operatorCalled(operator), at: now() };
    await recordAudit(store, { ...told, kind: 'account_erased', details: { orders } }, session);
  });
}
