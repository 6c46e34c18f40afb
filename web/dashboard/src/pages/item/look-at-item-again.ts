import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { lookAgainMs } from '../items/item-states.ts';
import { isWorking } from './possible-actions.ts';

export function lookAtItemAgainMs(item: PartnerItem): number {
  const hasStepsAhead =
    isWorking(item) || item.marketplaceStatus === 'pending_sync' || item.processing.waitingFor !== null;
  return lookAgainMs(hasStepsAhead, item.updatedAt);
}
