import { describeImageFailure } from '../images/rules/image-failure.ts';
import { isAtRest } from '../items/rules/owed-work.ts';
import { failedImages } from '../images/rules/image-set.ts';
import { Refusal } from '../rules/errors.ts';
import { itemId, type AccountId, type ItemId } from '../rules/ids.ts';
import type { Item } from '../items/rules/item.ts';
import { describeTimeline, type TimelineEntry } from '../items/rules/timeline.ts';
import {
  blockedReasonOf,
  explainRest,
  explainWait,
  plainTime,
  plainWords,
  type Blocked,
} from './rules/explain-wait.ts';
import { textOfReason } from './rules/reasons.ts';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import type { WorkflowState } from '../../gateways/orchestrator/operations-port.ts';
import { listAccountIds } from '../accounts/store/accounts.ts';
import { createItemStore } from '../items/store/items.ts';
import { listNewestEntries } from '../items/store/journal.ts';
import { findConnectionOfMember } from '../resellers/store/member-connections.ts';
import { dangerouslyFindItem, findByExternalId } from './store/stuck-rows.ts';
import { findAccountMeant, type AccountWish, type OperationsContext } from './find-account.ts';

export interface ItemExplanation {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  /** The reseller's reference for the account; null without a reseller. */
  readonly member: string | null;
  readonly externalId: string;
  readonly serviceStatus: string;
  readonly marketplaceStatus: string;
  readonly isDeleted: boolean;
  readonly isAtRest: boolean;
  readonly blocked: (Blocked & { readonly runbook: string }) | null;
  /** Markdown: why the item is blocked, what it owes, or what failed. 'Nothing holds it up.' means none of these. */
  readonly explanation: string;
  readonly failedImages: readonly { readonly url: string; readonly reason: string }[];
  readonly timeline: readonly TimelineEntry[];
  /** The newest run; null when the engine has none. */
  readonly workflow: WorkflowState | { readonly status: 'UNKNOWN'; readonly message: string } | null;
}

const timelineLength = 8;

/**
 * Explains the history of an item and its blocked reason. `wanted` is its UUID or its external id. Throws Refusal NOT_FOUND or
 * CONFLICT.
 */
export async function explainItem(
  context: OperationsContext,
  wanted: string,
  wish: AccountWish,
): Promise<ItemExplanation> {
  const { store } = context;
  const item = await findItemMeant(context, wanted, wish);
  const page = { before: null, limit: timelineLength };
  const [entries, link, workflow] = await Promise.all([
    listNewestEntries(store, item, { before: item.journalNumber + 1, limit: timelineLength + 1 }),
    findConnectionOfMember(store, item.accountId),
    describeWorkflow(context, item.id),
  ]);
  return {
    itemId: item.id,
    accountId: item.accountId,
    member: link?.externalId ?? null,
    externalId: item.externalId,
    serviceStatus: item.serviceStatus,
    marketplaceStatus: item.marketplaceStatus,
    isDeleted: !item.current,
    isAtRest: isAtRest(item),
    blocked: blockedOf(item),
    explanation: explainStanding(item, workflow),
    failedImages: failedImagesOf(item),
    timeline: describeTimeline(item, entries, page).entries,
    workflow,
  };
}

function blockedOf(item: Item): ItemExplanation['blocked'] {
  const blocked = blockedReasonOf(item);
  return blocked === null ? null : { ...blocked, runbook: textOfReason(blocked.reason).runbook };
}

/** A run that fails knows more than the row, because it could not write what happened. */
function explainStanding(item: Item, workflow: ItemExplanation['workflow']): string {
  const run = workflow !== null && 'steps' in workflow && workflow.status === 'RUNNING' ? workflow : null;
  if (run?.stage === 'failing') return run.details ?? explainFailing(run);
  const blocked = blockedReasonOf(item);
  const { lastError, notBefore: until, attempts } = item.processing;
  if (blocked !== null)
    return isAtRest(item)
      ? explainRest({ reason: blocked.reason, lastError })
      : explainWait({ ...blocked, until, attempts, lastError });
  if (run !== null && run.problems.length > 0) return explainFailing(run);
  return isAtRest(item) ? explainAtRest(item) : explainOwed(item, run);
}

const explainFailing = ({ startedAt, problems }: WorkflowState): string =>
  explainWait({
    reason: 'failing_step',
    since: startedAt,
    until: null,
    lastError: problems.length === 0 ? null : problems.join(', '),
  });

/** Images may be missing without blocking the item. */
function explainAtRest(item: Item): string {
  const failed = failedImages(item).length;
  if (failed === 0) return 'Nothing holds it up.';
  const count = item.imageSet.images.length;
  return `Nothing is owed, and **${failed} of ${count} images failed**: it goes on without them. The partner pushes other URLs, or \`itembridge ops retry\` downloads them again.`;
}

/** Work that is not done, and waits for nothing known. */
function explainOwed({ processing, startAt, starts }: Item, run: WorkflowState | null): string {
  const rows = [
    `**Work is owed** (\`${processing.stage}\`), and nothing is known to hold it up.`,
    '',
    `- **Since:** ${plainTime(processing.updatedAt)}`,
    run === null ? '- **Workflow:** none runs, so the worker has not begun it' : null,
    startAt === null
      ? null
      : `- **Started again:** ${plainTime(startAt)} at the latest, started ${starts} times by a relay so far`,
    '- **What to do:** see below what the workflow does, and in `itembridge ops stuck` whether workers and engine are there.',
  ];
  return rows.filter((row) => row !== null).join('\n');
}

/** URLs are shortened, because a query may be as good as a password. */
const failedImagesOf = (item: Item): ItemExplanation['failedImages'] =>
  failedImages(item).map(({ url, failure }) => ({ url: plainWords(url), reason: describeImageFailure(failure) }));

async function describeWorkflow({ engine }: OperationsContext, id: ItemId): Promise<ItemExplanation['workflow']> {
  try {
    return await engine.describeItem(id);
  } catch (error) {
    if (error instanceof OrchestratorUnavailable) return { status: 'UNKNOWN', message: error.message };
    throw error;
  }
}

const uuidLike = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Finds the item by its UUID or external id. Throws Refusal NOT_FOUND, or CONFLICT when several accounts have that external id.
 */
export async function findItemMeant(
  { store }: Pick<OperationsContext, 'store'>,
  wanted: string,
  wish: AccountWish,
): Promise<Item> {
  const items = createItemStore(store);
  const account = await findAccountMeant(store, wish);
  const byId = uuidLike.test(wanted) ? await dangerouslyFindItem(store, itemId(wanted.toLowerCase())) : null;
  if (byId !== null && (account === undefined || byId.accountId === account)) return byId;
  if (account !== undefined) return (await items.findVisible(account, wanted)) ?? notFound(wanted);
  const accounts: AccountId[] = [];
  for await (const id of listAccountIds(store)) accounts.push(id);
  const [found, ...others] = await findByExternalId(store, wanted, accounts);
  if (others.length > 0)
    throw new Refusal('CONFLICT', `Several accounts have an item "${wanted}": say which by --account or --member`);
  return (found === undefined ? null : await items.findById(found)) ?? notFound(wanted);
}

function notFound(wanted: string): never {
  throw new Refusal('NOT_FOUND', `There is no item "${wanted}"`);
}
