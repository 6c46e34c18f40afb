import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { hasNoImages, isBeingPublished } from '../items/being-published.ts';

/** The actions that the item's state allows; the service would refuse any other. */
export interface PossibleActions {
  readonly canRetry: boolean;
  readonly canPublish: boolean;
  readonly canTakeDown: boolean;
  /** Withdraw the mark as sold, for an item that is not sold. */
  readonly canPutBack: boolean;
  readonly canMarkSold: boolean;
  /** Tell how many pieces are left. */
  readonly canCount: boolean;
  readonly canDelete: boolean;
}

export function possibleActions(item: PartnerItem): PossibleActions {
  const { serviceStatus, marketplaceStatus, canRetry } = item;
  const isOnSale = serviceStatus === 'draft' || serviceStatus === 'active';
  const isOver = serviceStatus === 'sold' || serviceStatus === 'archived';
  // Nothing can be put up or taken down before it has images, so another try is offered alone.
  const lacksImages = serviceStatus === 'draft' && hasNoImages(item.processing);
  const isGivenUp = isOnSale && marketplaceStatus === 'sync_error';
  return {
    canRetry,
    canPublish: !isOver && !lacksImages && !isGivenUp && !isUp(item) && !isWorking(item),
    canTakeDown: isOnSale && !lacksImages,
    canPutBack: serviceStatus === 'sold',
    canMarkSold: !isOver,
    canCount: isOnSale || (serviceStatus !== 'archived' && item.quantity !== undefined),
    canDelete: serviceStatus !== 'archived',
  };
}

/** Its auction runs, or is being put up. */
const isUp = (item: PartnerItem): boolean =>
  item.serviceStatus === 'active' && (item.marketplaceStatus === 'active' || isBeingPublished(item));

/** Stages in which nothing happens until a person asks for it. */
const restingStages: ReadonlySet<string> = new Set(['settled', 'published', 'sold', 'ended', 'removed', 'given_up']);

export const isWorking = ({ processing }: PartnerItem): boolean =>
  processing.waitingFor === null && !restingStages.has(processing.stage);
