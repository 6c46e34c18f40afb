import type { ItemDescription, ProcessingDescription } from '../../core/items/describe-item.ts';
import type { Processing } from '../../core/items/processing.ts';
import { canRetry } from '../../core/items/retry-item.ts';
import type { Scope } from '../../core/scope.ts';
import { isOperator } from '../../store/accounts/accounts.ts';
import type { Context, ItemWorkflow } from '../context.ts';
import { describeFully, requireVisible } from './read-item.ts';

export interface PartnerProcessing extends ProcessingDescription {
  /** When the present trouble began; null when there is none. */
  readonly since: string | null;
  /** When what it waits for is tried again by itself, at the latest; null when it does not wait. */
  readonly nextTryAt: string | null;
}

export interface PartnerItem extends ItemDescription {
  readonly processing: PartnerProcessing;
  /** Whether asking for another try would change anything. */
  readonly canRetry: boolean;
  /** Only for operators; null for everybody else. */
  readonly workflow: ItemWorkflow | null;
}

/** Everything about the item, as the dashboard shows it to whoever is signed in. Throws Refusal NOT_FOUND. */
export async function readPartnerItem(
  { store, items, publicUrl, now, workflowOf }: Pick<Context, 'store' | 'items' | 'publicUrl' | 'now' | 'workflowOf'>,
  scope: Scope,
  externalId: string,
): Promise<{ readonly item: PartnerItem; readonly revision: number }> {
  const [item, seesWorkflow] = await Promise.all([
    requireVisible(items, scope, externalId),
    isOperator(store, scope.actingAccountId),
  ]);
  const workflow = seesWorkflow ? workflowOf(item) : null;
  const description = describeFully(item, publicUrl);
  const processing = { ...description.processing, ...timesOf(item.processing) };
  return {
    item: { ...description, processing, canRetry: canRetry(item, now()), workflow },
    revision: item.revision,
  };
}

const timesOf = ({ since, waitingFor, notBefore }: Processing): Pick<PartnerProcessing, 'since' | 'nextTryAt'> => ({
  since: since?.toISOString() ?? null,
  nextTryAt: waitingFor === null ? null : (notBefore?.toISOString() ?? null),
});
