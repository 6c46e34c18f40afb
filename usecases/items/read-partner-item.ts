import type { ItemDescription, ProcessingDescription } from '../../core/items/describe-item.ts';
import type { Processing } from '../../core/items/processing.ts';
import { canRetry } from '../../core/items/retry-item.ts';
import type { Scope } from '../../core/scope.ts';
import { isOperator } from '../../store/accounts/accounts.ts';
import type { Context, ItemWorkflow } from '../context.ts';
import { wholeItemTag } from './precondition.ts';
import { describeFully, requireVisible } from './read-item.ts';

export interface PartnerProcessing extends ProcessingDescription {
  /** When the present problem began; null without one. */
  readonly since: string | null;
  /** Latest time of the next automatic try; null when the item does not wait. */
  readonly nextTryAt: string | null;
}

export interface PartnerItem extends ItemDescription {
  readonly processing: PartnerProcessing;
  /** Whether asking for another try would change anything. */
  readonly canRetry: boolean;
  /** Set for operators only; null for other callers. */
  readonly workflow: ItemWorkflow | null;
}

/** Returns the full description of the item, as the dashboard shows it to the signed-in user. Throws Refusal NOT_FOUND. */
export async function readPartnerItem(
  { store, items, imagesUrl, now, workflowOf }: Pick<Context, 'store' | 'items' | 'imagesUrl' | 'now' | 'workflowOf'>,
  scope: Scope,
  externalId: string,
): Promise<{ readonly item: PartnerItem; readonly tag: string }> {
  const [item, seesWorkflow] = await Promise.all([
    requireVisible(items, scope, externalId),
    isOperator(store, scope.actingAccountId),
  ]);
  const workflow = seesWorkflow ? workflowOf(item) : null;
  const description = describeFully(item, imagesUrl);
  const processing = { ...description.processing, ...timesOf(item.processing) };
  return {
    item: { ...description, processing, canRetry: canRetry(item, now()), workflow },
    tag: wholeItemTag(item),
  };
}

const timesOf = ({ since, waitingFor, notBefore }: Processing): Pick<PartnerProcessing, 'since' | 'nextTryAt'> => ({
  since: since?.toISOString() ?? null,
  nextTryAt: waitingFor === null ? null : (notBefore?.toISOString() ?? null),
});
