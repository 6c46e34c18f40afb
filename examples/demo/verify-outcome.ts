import { isDeepStrictEqual } from 'node:util';
import type { BuyersResult } from '../buyers.ts';
import type { CatalogueItem, FaultyItem } from '../catalogue/load-catalogue.ts';
import type { ExpectedOutcome } from '../expected-outcome.ts';
import type { PushSummary } from '../push-catalogue.ts';
import type { WebhookEvent } from '../verify-webhook/verify.ts';
import type { DeliveryReport } from './check-deliveries.ts';
import type { ItemStatus, Listing, Received } from './observed-system.ts';
import { shortened } from './wait-until.ts';

/** One number of the summary; it is right when the two are equal. */
export interface Row {
  readonly name: string;
  readonly wanted: number;
  readonly got: number;
}

export interface Observations {
  readonly items: readonly CatalogueItem[];
  readonly expected: ExpectedOutcome;
  readonly pushes: { readonly first: PushSummary; readonly second: PushSummary; readonly faulty: PushSummary };
  readonly faultyItems: readonly FaultyItem[];
  readonly statuses: readonly ItemStatus[];
  readonly listings: readonly Listing[];
  readonly received: readonly Received[];
  readonly buyers: BuyersResult;
  readonly deliveries: DeliveryReport;
}

/** The numbers of the demo, wanted beside got. */
export function rowsOf(observations: Observations): Row[] {
  const { items, expected, pushes, faultyItems, statuses, listings, buyers } = observations;
  const committed = listings.filter(({ state }) => state !== 'uncommitted');
  const published = items.filter(({ autoPublishTradera }) => autoPublishTradera === true);
  const count = (wanted: string): number =>
    statuses.filter(({ marketplaceStatus }) => marketplaceStatus === wanted).length;
  return [
    { name: 'items accepted', wanted: expected.items, got: pushes.first.created },
    { name: 'sent again: unchanged', wanted: expected.items, got: pushes.second.unchanged },
    { name: 'faulty items refused', wanted: faultyItems.length, got: pushes.faulty.refused.length },
    { name: 'images hosted', wanted: expected.images, got: hostedImages(observations.received) },
    {
      name: 'images at the marketplace',
      wanted: published.reduce((sum, { images }) => sum + (images?.length ?? 0), 0),
      got: committed.reduce((sum, { imageCount }) => sum + imageCount, 0),
    },
    { name: 'auctions', wanted: expected.auctions, got: committed.length },
    {
      name: '  of which still live',
      wanted: expected.auctions - buyers.sold.length - buyers.ended.length,
      got: count('active'),
    },
    { name: '  sold', wanted: buyers.sold.length, got: count('sold') },
    { name: '  ended without a bid', wanted: buyers.ended.length, got: count('ended') },
    ...webhookRows(observations),
  ];
}

function webhookRows({ expected, deliveries }: Observations): Row[] {
  const names = new Set([
    ...expected.deliveries.map(({ scope, eventType }) => `${scope} ${eventType}`),
    ...Object.keys(deliveries.counts),
  ]);
  return [...names].sort().map((name) => ({
    name: `webhooks ${name}`,
    wanted: expected.deliveries.filter(({ scope, eventType }) => `${scope} ${eventType}` === name).length,
    got: deliveries.counts[name] ?? 0,
  }));
}

/** What a number can't say: which listing is double, which answer has the wrong field, which sale the wrong price. */
export function problemsOf(observations: Observations): string[] {
  const { deliveries, pushes } = observations;
  const refused = [...pushes.first.refused, ...pushes.second.refused].map(
    ({ externalId, statusCode, message }) => `${externalId}: ${statusCode} ${message}`,
  );
  return [
    ...(refused.length > 0 ? [`refused: ${shortened(refused)}`] : []),
    ...doubleListings(observations.listings),
    ...faultyProblems(observations),
    ...saleProblems(observations),
    ...deliveries.problems,
  ];
}

function doubleListings(listings: readonly Listing[]): string[] {
  const numbers = new Map<string, number>();
  for (const { state, ownReferences } of listings) {
    const item = ownReferences[0] ?? '';
    if (state !== 'uncommitted') numbers.set(item, (numbers.get(item) ?? 0) + 1);
  }
  const double = [...numbers].filter(([, number]) => number > 1).map(([item]) => item);
  return double.length > 0 ? [`listed more than once: ${shortened(double)}`] : [];
}

function faultyProblems({ faultyItems, pushes }: Observations): string[] {
  return faultyItems.flatMap(({ externalId, expected }) => {
    const refusal = pushes.faulty.refused.find((candidate) => candidate.externalId === externalId);
    const isRight =
      refusal?.statusCode === expected.statusCode &&
      (expected.field === null || refusal.fields.includes(expected.field));
    return isRight
      ? []
      : [
          `${externalId} should be refused with ${expected.statusCode} at ${expected.field ?? 'no field'}, got ${JSON.stringify(refusal ?? 'accepted')}`,
        ];
  });
}

function saleProblems({ buyers, received }: Observations): string[] {
  const sales = eventsOf(received, 'item.sold');
  return buyers.sold.flatMap(({ externalId, amount, adId }) => {
    const sale = sales.find(({ data }) => data.externalId === externalId);
    if (sale === undefined || (sale.data['salePrice'] === amount && sale.data['marketplaceAdId'] === adId)) return [];
    return [
      `${externalId} was sold for ${amount} kr in auction ${adId}, its item.sold says ${String(sale.data['salePrice'])} kr in ${String(sale.data['marketplaceAdId'])}`,
    ];
  });
}

/** Each item's images_ready comes to several receivers: it counts once. */
function hostedImages(received: readonly Received[]): number {
  const byEvent = new Map(
    eventsOf(received, 'item.images_ready').map(({ eventId, data }) => [eventId, Number(data['imagesProcessed'])]),
  );
  return [...byEvent.values()].reduce((sum, number) => sum + number, 0);
}

export function eventsOf(received: readonly Received[], wanted: string): WebhookEvent[] {
  return received
    .map(({ rawBase64 }) => JSON.parse(Buffer.from(rawBase64, 'base64').toString('utf8')) as WebhookEvent)
    .filter(({ eventType }) => eventType === wanted);
}

/** Written in many ways, stored in one: without spaces and hyphens. */
const normalisedNames: ReadonlySet<string> = new Set(['registrationPlate', 'isbn']);

const asStored = (name: string, sent: unknown): unknown =>
  normalisedNames.has(name) && typeof sent === 'string' ? sent.replaceAll(/[ -]/g, '').toUpperCase() : sent;

/** The domain's attributes must come back flat and as they were sent, whatever keys the partner chose. */
export function attributeProblems({ item, attributes }: ReadBack): string[] {
  return Object.entries(item.domain ?? {}).flatMap(([name, sent]) =>
    name === 'domain' || isDeepStrictEqual(attributes[name], asStored(name, sent))
      ? []
      : [`${item.externalId}: ${name} came back as ${JSON.stringify(attributes[name])}`],
  );
}

interface ReadBack {
  readonly item: CatalogueItem;
  readonly attributes: Readonly<Record<string, unknown>>;
}
