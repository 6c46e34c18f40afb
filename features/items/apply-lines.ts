import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import { groupBy } from '../rules/group-by.ts';
import { otherFormsOf } from './rules/id-forms.ts';
import { actorOf } from './rules/journal.ts';
import type { Scope } from '../rules/scope.ts';
import type { RunExclusive } from '../../platform/concurrency/keyed-mutex.ts';
import type { ItemChange, ItemLineStore } from './store/item-lines.ts';
import {
  decideGroup,
  refusedGroup,
  type BulkOrigin,
  type FoundItem,
  type GroupDecision,
  type ItemLine,
  type LineContext,
  type LineGroup,
  type LineResult,
} from './decide-lines.ts';
import type { UpsertDependencies } from './upsert-item.ts';
import { retryOnConflict } from './write-item.ts';

export type { BulkOrigin, ItemLine, LineResult } from './decide-lines.ts';

export interface LineDependencies extends Pick<
  UpsertDependencies,
  'confirmCredential' | 'connectionOf' | 'runExclusive' | 'newItemId' | 'takeRoom' | 'now'
> {
  readonly lines: ItemLineStore;
  /** True while an earlier accepted bulk sync may still write items of the account. Undefined: there is none. */
  readonly hasOlderBulk?: (scope: Scope, bulk: BulkOrigin) => Promise<boolean>;
}

export interface LineBatch {
  readonly lines: readonly ItemLine[];
  /** Checks everything and says what would happen, without any effect. */
  readonly validateOnly?: boolean;
}

/**
 * Applies many pushes of one account in their order, each as {@link upsertItem} would, with a few reads and one write for all.
 * The work they leave waits for its account's turn. Results come in the order of the lines, and a failed line does not affect
 * others. Throws Refusal UNAUTHORIZED or PARTNER_ACCOUNT_FORBIDDEN, before any effect or after some lines.
 */
export async function applyLines(
  dependencies: LineDependencies,
  scope: Scope,
  { lines, validateOnly = false }: LineBatch,
): Promise<readonly LineResult[]> {
  const results = new Map<number, LineResult>();
  const keep = (decision: GroupDecision): void => {
    for (const result of decision.results) results.set(result.line, result);
  };
  await retryAllOnConflict(dependencies, scope, {
    jobs: groupsOf(lines),
    keyOf: ({ externalId }) => externalId,
    attempt: async (groups) => {
      const decided = await decideLines(dependencies, scope, { groups });
      await dependencies.confirmCredential(scope);
      const isDone = await writeDecided(dependencies.lines, decided, { validateOnly });
      for (const [index, { decision }] of decided.entries()) if (isDone[index] === true) keep(decision);
      return decided.filter((_of, index) => isDone[index] === false).map(({ group }) => group);
    },
    giveUp: (group, refusal) => keep({ next: null, results: group.lines.map(({ line }) => ({ line, refusal })) }),
  });
  return lines.flatMap(({ line }) => results.get(line) ?? []);
}

export function groupsOf(lines: readonly ItemLine[]): LineGroup[] {
  const groups = groupBy(lines, ({ externalId }) => externalId);
  return [...groups].map(([externalId, own]) => ({ externalId, lines: own }));
}

/** The lines of an item, the item as it was read, and what becomes of it. */
export interface Decided {
  readonly group: LineGroup;
  readonly previous: ItemChange['previous'];
  readonly decision: GroupDecision;
}

/**
 * Reads the items of the lines and decides what becomes of them, without any effect. Undefined `bulk`: the lines are a caller's own
 * writes, accepted now.
 */
export async function decideLines(
  dependencies: LineDependencies,
  scope: Scope,
  { groups, bulk }: { readonly groups: readonly LineGroup[]; readonly bulk?: BulkOrigin },
): Promise<readonly Decided[]> {
  const { lines, newItemId, connectionOf, now, hasOlderBulk } = dependencies;
  // Asked before the items are read, so the read includes all writes of a bulk sync that has ended.
  const isOvertaking = bulk !== undefined && ((await hasOlderBulk?.(scope, bulk)) ?? false);
  const caller = { accountId: scope.accountId, actor: actorOf(scope) };
  const mayPublish = groups.some((group) => group.lines.some(({ request }) => request.autoPublish));
  const connection = mayPublish && connectionOf !== undefined ? await connectionOf(scope.accountId) : 'connected';
  const context: LineContext = { ...caller, now: now(), newItemId, connection, bulk, isOvertaking };
  const found = await findItems(lines, groups, context);
  const wished = groups.map((group, index) => {
    const present = found[index] ?? nothing;
    return { group, previous: present.current, decision: decideGroup(group, present, context) };
  });
  return withinRoom(dependencies, scope, wished);
}

const nothing: FoundItem = { current: null, former: undefined };

/** Returns one entry per group, in the order of the groups. */
async function findItems(
  lines: ItemLineStore,
  groups: readonly LineGroup[],
  { accountId, bulk }: LineContext,
): Promise<FoundItem[]> {
  const current = new Map(
    (await lines.findCurrent(accountId, externalIdsOf(groups))).map((item) => [item.externalId, item]),
  );
  const missing = externalIdsOf(groups).filter((externalId) => !current.has(externalId));
  const [former, lookalikes] = await Promise.all([
    lines.findFormer(accountId, missing),
    findLookalikes(lines, missing, { accountId, createdBefore: bulk?.acceptedAt }),
  ]);
  return groups.map(({ externalId }) => ({
    current: current.get(externalId) ?? null,
    former: former.get(externalId),
    hasLookalike: lookalikes.has(externalId),
  }));
}

/**
 * Which ids look like that of another item: of one that was created before a time, or without a time also of an earlier
 * one of the same call.
 */
export async function findLookalikes(
  lines: Pick<ItemLineStore, 'findCurrent'>,
  externalIds: readonly string[],
  { accountId, createdBefore }: { readonly accountId: AccountId; readonly createdBefore: Date | undefined },
): Promise<ReadonlySet<string>> {
  const formsOf = new Map(externalIds.map((id) => [id, otherFormsOf(id)]));
  const forms = [...new Set([...formsOf.values()].flat())];
  const stored = forms.length === 0 ? [] : await lines.findCurrent(accountId, forms);
  const known = new Set(
    stored
      .filter(({ createdAt }) => createdBefore === undefined || createdAt < createdBefore)
      .map((item) => item.externalId),
  );
  const found = externalIds.filter((id) => {
    const isFound = formsOf.get(id)?.some((form) => known.has(form)) ?? false;
    if (createdBefore === undefined) known.add(id);
    return isFound;
  });
  return new Set(found);
}

const externalIdsOf = (groups: readonly LineGroup[]): string[] => groups.map(({ externalId }) => externalId);

/** Refuses new items beyond the account's quota, each by itself. */
async function withinRoom(
  { takeRoom }: Pick<LineDependencies, 'takeRoom'>,
  { accountId }: Scope,
  decided: readonly Decided[],
): Promise<readonly Decided[]> {
  const isNew = ({ previous, decision }: Decided): boolean => previous === null && decision.next !== null;
  const wanted = decided.filter(isNew).length;
  const room = wanted === 0 ? undefined : await takeRoom?.(accountId, wanted);
  if (room === undefined || room.granted === wanted) return decided;
  const refused = new Set(decided.filter(isNew).slice(room.granted));
  return decided.map((of) => (refused.has(of) ? { ...of, decision: refusedGroup(of.group, room.refusal) } : of));
}

/** True for each group that was written, or that needs no write of an unchanged item. */
async function writeDecided(
  lines: ItemLineStore,
  decided: readonly Decided[],
  { validateOnly }: { validateOnly: boolean },
): Promise<boolean[]> {
  if (validateOnly) return decided.map(() => true);
  const changes = decided.flatMap(({ previous, decision: { next } }) => (next === null ? [] : [{ previous, next }]));
  const stored = (await lines.write(changes, { isAccepted: true })).values();
  return Promise.all(
    decided.map(async ({ previous, decision }) => {
      if (decision.next !== null) return stored.next().value !== null;
      return previous === null || lines.isStill(previous);
    }),
  );
}

export interface ManyWrites<Job> {
  readonly jobs: readonly Job[];
  /** Identifies the item of a job within its account, for {@link RunExclusive}. */
  readonly keyOf: (job: Job) => string;
  /** Reads, decides and writes. Returns the jobs that another writer overtook, to be decided again. */
  readonly attempt: (jobs: readonly Job[]) => Promise<readonly Job[]>;
  /** Called for a job that was overtaken for seconds. */
  readonly giveUp: (job: Job, refusal: Refusal) => void;
}

/** A job overtaken once or twice is repeated with the rest. After that it queues with the other writers of its item. */
const roundsTogether = 3;
const pauseMs = 5;

/** Repeats what was overtaken: all at once first, then each in its turn among the writers of its item. */
export async function retryAllOnConflict<Job>(
  { runExclusive }: { readonly runExclusive: RunExclusive },
  { accountId }: Scope,
  { jobs, keyOf, attempt, giveUp }: ManyWrites<Job>,
): Promise<void> {
  let left = jobs;
  for (let round = 0; round < roundsTogether && left.length > 0; round += 1) {
    // A majority read is a few milliseconds behind the newest write; an immediate repeat would return the same version.
    if (round > 0) await delay(pauseMs);
    left = await attempt(left);
  }
  for (const job of left) {
    const writeAlone = async (): Promise<true | null> => ((await attempt([job])).length === 0 ? true : null);
    try {
      await runExclusive(`${accountId} ${keyOf(job)}`, () => retryOnConflict(writeAlone));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'CONFLICT') throw error;
      giveUp(job, error);
    }
  }
}
