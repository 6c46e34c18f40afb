import { describeImageFailure } from '../../core/items/image-failure.ts';
import { failedImages } from '../../core/items/image-set.ts';
import { Refusal } from '../../core/errors.ts';
import { itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { describeTimeline, type TimelineEntry } from '../../core/items/timeline.ts';
import { explainRest, explainWait } from '../../core/operations/explain-wait.ts';
import { plainWords } from '../../core/operations/plain-words.ts';
import { textOfReason } from '../../core/operations/reasons.ts';
import { blockedReasonOf, type Blocked } from '../../core/operations/blocked-reason-of.ts';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import type { WorkflowState } from '../../gateways/orchestrator/operations-port.ts';
import { listAccountIds } from '../../store/accounts/accounts.ts';
import { createItemStore } from '../../store/items/items.ts';
import { createJournalStore } from '../../store/items/journal.ts';
import { findConnectionOfMember } from '../../store/resellers/member-connections.ts';
import { findByExternalId } from '../../store/operations/stuck-items.ts';
import { findAccountMeant, type AccountWish } from './find-account.ts';
import type { OperationsContext } from './operations-context.ts';

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
  /** Markdown, as in the workflow's details; null when nothing blocks it. */
  readonly explanation: string | null;
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
  const journal = createJournalStore(store);
  const page = { before: null, limit: timelineLength };
  const [entries, link, workflow] = await Promise.all([
    journal.listNewest(item.accountId, item.id, { before: item.journalNumber + 1, limit: timelineLength + 1 }),
    findConnectionOfMember(store, item.accountId),
    describeWorkflow(context, item.id),
  ]);
  return {
    ...{ itemId: item.id, accountId: item.accountId, member: link?.externalId ?? null, externalId: item.externalId },
    serviceStatus: item.serviceStatus,
    marketplaceStatus: item.marketplaceStatus,
    isDeleted: !item.current,
    isAtRest: item.revision === item.settledRevision,
    ...explainBlocked(item),
    failedImages: failedImagesOf(item),
    timeline: describeTimeline(item, entries, page).entries,
    workflow,
  };
}

function explainBlocked(item: Item): Pick<ItemExplanation, 'blocked' | 'explanation'> {
  const blocked = blockedReasonOf(item);
  if (blocked === null) return { blocked: null, explanation: null };
  const { reason, since } = blocked;
  const { lastError, notBefore, attempts } = item.processing;
  const isAtRest = item.revision === item.settledRevision;
  return {
    blocked: { ...blocked, runbook: textOfReason(reason).runbook },
    explanation: isAtRest
      ? explainRest({ reason, lastError })
      : explainWait({ reason, since, until: notBefore, attempts, lastError }),
  };
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
  const byId = uuidLike.test(wanted) ? await items.findById(itemId(wanted.toLowerCase())) : null;
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
