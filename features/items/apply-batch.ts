import pLimit from 'p-limit';
import { deepEqual } from '../rules/deep-equal.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { groupBy } from '../rules/group-by.ts';
import type { AccountId } from '../rules/ids.ts';
import type { ItemRequest } from './rules/item-content.ts';
import type { Scope } from '../rules/scope.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { isShortened } from '../../schemas/items/external-id.ts';
import { findMemberByReference } from '../resellers/store/member-connections.ts';
import type { Context } from '../context.ts';
import { applyLines, type ItemLine, type LineBatch, type LineDependencies, type LineResult } from './apply-lines.ts';

type Needs = Pick<Context, 'store'> & LineDependencies;

export interface Batch {
  readonly rows: readonly BatchItem[];
  /** Checks everything and says what would happen, without any effect. */
  readonly validateOnly?: boolean;
}

/** The first form is a usable row, the second has no usable external id, and the third is refused for its content. */
export type BatchItem = { readonly account: string | undefined } & (
  | { readonly externalId: string; readonly request: ItemRequest }
  | { readonly externalId: null; readonly refusal: Refusal }
  | { readonly externalId: string; readonly refusal: Refusal }
);

/** Limits parallel work, so a batch over many members does not overload the database. */
const atOnce = 4;

/**
 * Writes items of the caller's account and of its members. Each row is accepted or refused by itself, and results come in the
 * order of the rows. Of rows with the same account and external id only the first counts. Throws {@link Refusal} UNAUTHORIZED for
 * a key that was revoked meanwhile; earlier writes stay.
 */
export async function applyBatch(
  context: Needs,
  scope: Scope,
  { rows, validateOnly = false }: Batch,
): Promise<readonly LineResult[]> {
  const owners = await findOwners(context, scope, rows);
  const assigned = assign(rows, (account) => (account === undefined ? scope.accountId : (owners.get(account) ?? null)));
  const lines = assigned.flatMap((of) => ('refusal' in of ? [] : [of]));
  const applied = await allOrNoMore([...groupBy(lines, ({ owner }) => owner)], ([owner, own]) =>
    applyOwn(context, { ...scope, accountId: owner }, { lines: own, validateOnly }),
  );
  const resultOf = new Map(applied.flat().map((result) => [result.line, result]));
  return assigned.flatMap((of) => ('refusal' in of ? [of] : (resultOf.get(of.line) ?? [])));
}

/**
 * Runs a few jobs at once. After a failure no further job starts, and the error is thrown when all running jobs have ended. So a
 * call that was answered writes nothing more.
 */
async function allOrNoMore<Job, Result>(
  jobs: readonly Job[],
  work: (job: Job) => Promise<Result>,
): Promise<readonly Result[]> {
  const limit = pLimit({ concurrency: atOnce, rejectOnClear: true });
  const failures: unknown[] = [];
  const begun = jobs.map((job) =>
    limit(async () => {
      try {
        return await work(job);
      } catch (error) {
        failures.push(error);
        limit.clearQueue();
        throw error;
      }
    }),
  );
  const ended = await Promise.allSettled(begun);
  if (failures.length > 0) throw failures[0];
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** The account of each reference; null for an unknown member. */
async function findOwners(
  { store }: Needs,
  { actingAccountId }: Scope,
  rows: readonly BatchItem[],
): Promise<ReadonlyMap<string, AccountId | null>> {
  const references = [...new Set(rows.flatMap(({ account }) => account ?? []))];
  const limit = pLimit(atOnce);
  return new Map(
    await Promise.all(
      references.map((reference) =>
        limit(async () => [reference, await findMemberByReference(store, actingAccountId, reference)] as const),
      ),
    ),
  );
}

type Assigned = (ItemLine & { readonly owner: AccountId }) | { readonly line: number; readonly refusal: Refusal };

/** A row refused for its content still counts as the first of its item: the result of a later row must not depend on it. */
function assign(rows: readonly BatchItem[], ownerOf: (account: string | undefined) => AccountId | null): Assigned[] {
  const seen = new Set<string>();
  const collided = collidedIds(rows);
  return rows.map((row, line) => {
    if (row.externalId === null) return { line, refusal: row.refusal };
    const { externalId } = row;
    const owner = ownerOf(row.account);
    if (owner === null) return { line, refusal: 'refusal' in row ? row.refusal : unknownMember() };
    const key = `${owner} ${externalId}`;
    if (collided.has(idKey(row)) && !('refusal' in row)) return { line, refusal: shortenedIds() };
    if (seen.has(key)) return { line, refusal: repeated() };
    seen.add(key);
    return 'refusal' in row ? { line, refusal: row.refusal } : { line, externalId, request: row.request, owner };
  });
}

const idKey = ({ account = '', externalId }: BatchItem): string => JSON.stringify([account, externalId]);

/** Ids that a spreadsheet has shortened and that different rows have: these are different items. */
function collidedIds(rows: readonly BatchItem[]): ReadonlySet<string> {
  const shortened = rows.filter(({ externalId }) => externalId !== null && isShortened(externalId));
  const collided = [...groupBy(shortened, idKey)].filter(([, [first, ...others]]) =>
    others.some((other) => !deepEqual(contentOf(first), contentOf(other))),
  );
  return new Set(collided.map(([key]) => key));
}

const contentOf = (row: BatchItem | undefined): unknown =>
  row !== undefined && 'request' in row ? row.request.content : undefined;

const shortenedIds = (): Refusal => validationFailed([problem('externalId', 'shortened_twice', {})]);

const unknownMember = (): Refusal =>
  new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'account names no member that this account may act for');

const repeated = (): Refusal => new Refusal('CONFLICT', 'The batch has an earlier row for the same item');

/** A member that has left meanwhile fails its own rows only. */
async function applyOwn(context: Needs, scope: Scope, batch: LineBatch): Promise<readonly LineResult[]> {
  try {
    return await applyLines(context, scope, batch);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'PARTNER_ACCOUNT_FORBIDDEN') throw error;
    return batch.lines.map(({ line }) => ({ line, refusal: error }));
  }
}
