// The two status machines of an item as tables: the trigger, the states it is allowed in, and the state it leads to. Every status
// change uses them, and the store refuses a change that no row allows (docs/reference/specification.md, "States and
// transitions").

interface Transition<Status extends string> {
  readonly from: readonly Status[];
  readonly to: Status;
}

const anyService = ['draft', 'active', 'sold', 'not_listed', 'archived'] as const satisfies readonly ServiceStatus[];
const anyMarketplace = [
  'active',
  'sold',
  'ended',
  'pending_sync',
  'sync_error',
] as const satisfies readonly MarketplaceStatus[];

/** `serviceStatus`. A PUT has no row of its own: its only effect is `ready`, when a draft has no images to wait for any more. */
export const serviceTransitions = {
  /** Images are hosted, or there are none to wait for. */
  ready: { from: ['draft'], to: 'active' },
  patchNotListed: { from: ['draft', 'active', 'sold', 'not_listed'], to: 'not_listed' },
  patchSold: { from: ['draft', 'active', 'sold', 'not_listed'], to: 'sold' },
  publish: { from: ['not_listed', 'active'], to: 'active' },
  /** None of its images could be hosted yet. */
  publishUnready: { from: ['not_listed'], to: 'draft' },
  /** The last of several pieces was sold. */
  sellOut: { from: ['active'], to: 'sold' },
  /** A sold-out item has pieces again. */
  restock: { from: ['sold'], to: 'active' },
  restockUnready: { from: ['sold'], to: 'draft' },
  /** A sale that the partner made itself. Refused for a sold item. */
  directSale: { from: ['draft', 'active', 'not_listed'], to: 'sold' },
  /** A winning bid. A deleted item comes back as `archived` instead. */
  hammerSale: { from: ['draft', 'active', 'sold', 'not_listed'], to: 'sold' },
  hammerSaleOfDeleted: { from: anyService, to: 'archived' },
  /** DELETE of an item with an order in progress. */
  deleteLinked: { from: ['draft', 'active', 'sold', 'not_listed'], to: 'archived' },
} as const satisfies Readonly<Record<string, Transition<ServiceStatus>>>;

/** `marketplaceStatus`. */
export const marketplaceTransitions = {
  /** A publication begins: also the next one after an end or a failure. */
  open: { from: ['pending_sync', 'ended', 'sync_error', 'sold'], to: 'pending_sync' },
  /** From `sold`: a late sale of an older auction, after which the item was put on sale again. */
  live: { from: ['pending_sync', 'sync_error', 'active', 'sold'], to: 'active' },
  /** The auction closed without a winner, or was taken down. */
  end: { from: anyMarketplace, to: 'ended' },
  sell: { from: anyMarketplace, to: 'sold' },
  /** Publishing or revising was given up. */
  giveUp: { from: ['pending_sync', 'active', 'sync_error', 'sold'], to: 'sync_error' },
  /** A publication was called off before anything was for sale. */
  callOffFirst: { from: ['pending_sync'], to: 'pending_sync' },
} as const satisfies Readonly<Record<string, Transition<MarketplaceStatus>>>;

export type ServiceTrigger = keyof typeof serviceTransitions;
export type MarketplaceTrigger = keyof typeof marketplaceTransitions;

/** A transition that no row allows: a bug in the calling code, never an answer to a partner. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition';
}

/** The status after `trigger`. Throws {@link IllegalTransition} when no row allows it. */
export function serviceStatusAfter(trigger: ServiceTrigger, from: ServiceStatus): ServiceStatus {
  return follow(serviceTransitions[trigger], trigger, from);
}

/** The status after `trigger`. Throws {@link IllegalTransition} when no row allows it. */
export function marketplaceStatusAfter(trigger: MarketplaceTrigger, from: MarketplaceStatus): MarketplaceStatus {
  return follow(marketplaceTransitions[trigger], trigger, from);
}

function follow<Status extends string>(row: Transition<Status>, trigger: string, from: Status): Status {
  if (!row.from.includes(from)) throw new IllegalTransition(`${trigger} from ${from}`);
  return row.to;
}

const allows = <Status extends string>(
  rows: Readonly<Record<string, Transition<Status>>>,
  from: Status,
  to: Status,
): boolean => from === to || Object.values(rows).some((row) => row.to === to && row.from.includes(from));

interface Statuses {
  readonly serviceStatus: ServiceStatus;
  readonly marketplaceStatus: MarketplaceStatus;
}

/** The store's own check before every write. Throws {@link IllegalTransition}. */
export function requireLegalTransition(previous: Statuses, next: Statuses): void {
  if (!allows(serviceTransitions, previous.serviceStatus, next.serviceStatus))
    throw new IllegalTransition(`serviceStatus ${previous.serviceStatus} to ${next.serviceStatus}`);
  if (!allows(marketplaceTransitions, previous.marketplaceStatus, next.marketplaceStatus))
    throw new IllegalTransition(`marketplaceStatus ${previous.marketplaceStatus} to ${next.marketplaceStatus}`);
}

/** `serviceStatus` of the interface. Source: specification "Item status". */
export const serviceStatuses = ['draft', 'active', 'sold', 'not_listed', 'archived'] as const;
export type ServiceStatus = (typeof serviceStatuses)[number];

/** `marketplaceStatus` of the interface. Source: specification "Marketplace status". */
export const marketplaceStatuses = ['active', 'sold', 'ended', 'pending_sync', 'sync_error'] as const;
export type MarketplaceStatus = (typeof marketplaceStatuses)[number];
