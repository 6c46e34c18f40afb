import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { isBeingPublished } from '../items/being-published.ts';

/** What can be done with an item as it stands; anything else the service would refuse. */
export interface PossibleActions {
  readonly canRetry: boolean;
  readonly canPublish: boolean;
  readonly canTakeDown: boolean;
  /** Marked as sold, but it is not (any more). */
  readonly canPutBack: boolean;
  readonly canMarkSold: boolean;
  /** Say how many are left. */
  readonly canCount: boolean;
  readonly canDelete: boolean;
}

export function possibleActions(item: PartnerItem): PossibleActions {
  const { serviceStatus, marketplaceStatus, canRetry } = item;
  const isOnSale = serviceStatus === 'draft' || serviceStatus === 'active';
  const isOver = serviceStatus === 'sold' || serviceStatus === 'archived';
  const isGivenUp = isOnSale && marketplaceStatus === 'sync_error';
  return {
    canRetry,
    canPublish: !isOver && !isGivenUp && !isUp(item) && !isWorking(item),
    canTakeDown: isOnSale,
    canPutBack: serviceStatus === 'sold',
    canMarkSold: !isOver,
    canCount: isOnSale || (serviceStatus !== 'archived' && item.quantity !== undefined),
    canDelete: serviceStatus !== 'archived',
  };
}

/** Its auction runs, or is on the way. */
const isUp = (item: PartnerItem): boolean =>
  item.serviceStatus === 'active' && (item.marketplaceStatus === 'active' || isBeingPublished(item));

/** Stages after which nothing is done until somebody asks for it. */
const restingStages: ReadonlySet<string> = new Set(['settled', 'published', 'sold', 'ended', 'removed', 'given_up']);

export const isWorking = ({ processing }: PartnerItem): boolean =>
  processing.waitingFor === null && !restingStages.has(processing.stage);
