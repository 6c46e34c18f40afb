import type { Item } from '../features/items/rules/item.ts';
import { blockedReasonOf } from '../features/operations/rules/explain-wait.ts';
import { createListPages } from '../gateways/orchestrator/workflow-pages.ts';
import type { Config } from './config.ts';

type Ui = Pick<Config['temporal'], 'uiUrl' | 'namespace'>;

/** The address of the list of all stuck work. */
export const everythingStuckUrl = (ui: Ui): string => listUrl(ui, 'BlockedReason IS NOT NULL');

/** The address of the list of work that is stuck for this item's reason; null when the item is not stuck, or without a UI. */
export function stuckUrlOf(ui: Ui, item: Item): string | null {
  const blocked = ui.uiUrl === '' ? null : blockedReasonOf(item);
  return blocked && listUrl(ui, `BlockedReason = '${blocked.reason}'`);
}

const listUrl = (ui: Ui, condition: string): string =>
  createListPages(ui)(`ExecutionStatus = 'Running' AND ${condition}`);
