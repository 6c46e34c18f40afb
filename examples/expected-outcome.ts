import type { CatalogueItem } from './catalogue/load-catalogue.ts';

/** A receiver as the outcome needs it; `account` is the reseller's reference of its owner, null for the reseller itself. */
export interface EndpointOf {
  readonly account: string | null;
  readonly scope: 'self' | 'members';
  readonly path: string;
}

export interface OutcomeInput {
  readonly items: readonly CatalogueItem[];
  readonly endpoints: readonly EndpointOf[];
  /** External ids of the auctions that were won, and of those that closed without a bid. */
  readonly sold: readonly string[];
  readonly ended: readonly string[];
}

export type ExpectedEventType =
  | 'item.created'
  | 'item.images_ready'
  | 'listing.created'
  | 'listing.ended'
  | 'item.sold';

/** One event that one receiver must get at least once. */
export interface ExpectedDelivery {
  readonly path: string;
  readonly scope: 'self' | 'members';
  readonly eventType: ExpectedEventType;
  readonly externalId: string;
  readonly account: string | null;
}

export interface ExpectedOutcome {
  readonly items: number;
  readonly images: number;
  readonly auctions: number;
  readonly events: Readonly<Record<ExpectedEventType, number>>;
  readonly deliveries: readonly ExpectedDelivery[];
}

const eventTypes = ['item.created', 'item.images_ready', 'listing.created', 'listing.ended', 'item.sold'] as const;

/** What must have happened when the catalogue went in and the buyers were through. No clock, no network. */
export function expectedOutcome({ items, endpoints, sold, ended }: OutcomeInput): ExpectedOutcome {
  const occurrences = items.flatMap((item) =>
    eventsOf(item, { sold, ended }).map((eventType) => ({ item, eventType })),
  );
  const count = (wanted: ExpectedEventType): number =>
    occurrences.filter(({ eventType }) => eventType === wanted).length;
  return {
    items: items.length,
    images: items.reduce((sum, { images }) => sum + (images?.length ?? 0), 0),
    auctions: items.filter(({ autoPublishTradera }) => autoPublishTradera === true).length,
    events: Object.fromEntries(eventTypes.map((type) => [type, count(type)])) as Record<ExpectedEventType, number>,
    deliveries: occurrences.flatMap(({ item: { externalId, account }, eventType }) =>
      endpoints
        .filter((endpoint) => hears(endpoint, account))
        .map(({ path, scope }) => ({ path, scope, eventType, externalId, account })),
    ),
  };
}

/** An empty image list has no images_ready; everything else happens once an item. */
function eventsOf(item: CatalogueItem, { sold, ended }: Pick<OutcomeInput, 'sold' | 'ended'>): ExpectedEventType[] {
  const happened: Record<ExpectedEventType, boolean> = {
    'item.created': true,
    'item.images_ready': (item.images ?? []).length > 0,
    'listing.created': item.autoPublishTradera === true,
    'listing.ended': ended.includes(item.externalId),
    'item.sold': sold.includes(item.externalId),
  };
  return eventTypes.filter((type) => happened[type]);
}

/** Self: the owner's own items. Members: the items of everyone who is managed, and not the reseller's own. */
const hears = (endpoint: EndpointOf, owner: string | null): boolean =>
  endpoint.scope === 'self' ? endpoint.account === owner : owner !== null;
