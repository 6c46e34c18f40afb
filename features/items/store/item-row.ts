import { createHash } from 'node:crypto';
import { inventoryClass, type InventoryClass } from '../../partner/rules/inventory-class.ts';
import {
  attributesFromStored,
  domainSchemaVersion,
  flattenDomain,
  storableAttributes,
  unflattenDomain,
  type ExtendedAttributes,
} from '../rules/flatten-domain.ts';
import { accountId, itemId } from '../../rules/ids.ts';
import { stampOf } from '../rules/describe-item.ts';
import { hasFailedImages, isBeingPublished } from '../../images/rules/image-set.ts';
import type { ItemContent } from '../rules/item-content.ts';
import { isUp, newestListing, type Item } from '../rules/item.ts';
import { blockedReasonOf } from '../../operations/rules/explain-wait.ts';
import { listFieldsOf, rememberTerms, type ItemListFields } from './item-list-fields.ts';

/** The stored document: an item whose domain is flattened into `extendedAttributes` (specification "Extended attributes"). */
export interface ItemRow extends Omit<Item, 'id' | 'accountId' | 'content' | Passing>, ItemListFields {
  readonly _id: string;
  readonly accountId: string;
  readonly changedAt: Date;
  readonly content: Omit<ItemContent, 'domain'>;
  readonly extendedAttributes: ExtendedAttributes;
  /** The marketplace may still report something about one of its listings or their payment. */
  readonly isWatched: boolean;
  /** One of its listings is up, or possibly so: no other item with the same external id may go up. */
  readonly hasListingUp: boolean;
  /** The item's blocked reason, a key of features/operations/rules/reasons.ts; null when there is none. */
  readonly blockedReason: string | null;
  readonly blockedSince: Date | null;
  /** Since when its due work has not waited, by the database's clock. Meaningless while the item owes no such work. */
  readonly owedSince?: Date;
  /** {@link pushHashOf} */
  readonly pushHash: string | null;
  /** Where the item counts in the account's analytics. */
  readonly inventoryClass: InventoryClass;
}

/** What a write brings to other collections: no part of the row. */
type Passing = 'outbox' | 'journal' | 'pendingOrders';
const passing: ReadonlySet<string> = new Set<Passing>(['outbox', 'journal', 'pendingOrders']);

interface ContentParts {
  readonly content: Omit<ItemContent, 'domain'>;
  readonly extendedAttributes: ExtendedAttributes;
}

/** Content parts by content object, so that unchanged content gives identical parts, which are not written again. */
const partsOf = new WeakMap<ItemContent, ContentParts>();

export function rowFromItem(item: Item): ItemRow {
  const { id, content: _content, outbox: _events, journal: _history, pendingOrders: _sales, ...rest } = item;
  const changedAt = item.changedAt ?? item.updatedAt;
  return { _id: id, ...rest, changedAt, ...contentParts(item), ...readingFields(item) };
}

/** Fields that only indexes and readers of the row need. */
function readingFields(item: Item) {
  const hasListingUp = item.listings.some(isUp);
  const found = blockedReasonOf(item);
  return {
    ...listFieldsOf(item),
    blockedReason: found?.reason ?? null,
    blockedSince: found?.since ?? null,
    isWatched: hasListingUp || item.unpaidOrderIds.length > 0,
    hasListingUp,
    pushHash: pushHashOf(item),
    inventoryClass: inventoryClass(item),
  };
}

export type Fields = readonly (readonly [name: string, value: unknown])[];

/**
 * The fields of a row that differ between `previous` and `next`. For the content these are single fields
 * (`content.priceOre`), so a new price is written without the text. No whole rows are built, because that would cost as
 * much as encoding the update.
 */
export function changedFields(previous: Item, next: Item): Fields {
  const [before, after] = [contentParts(previous), contentParts(next)];
  const content = before.content === after.content ? [] : differences(before.content, after.content);
  return [
    ...differences(previous, next).filter(([name]) => name !== 'content' && !passing.has(name)),
    ...content.map(([name, value]) => [`content.${name}`, value] as const),
    ...(before.extendedAttributes === after.extendedAttributes
      ? []
      : [['extendedAttributes', after.extendedAttributes] as const]),
    ...differences(readingFields(previous), readingFields(next)),
  ];
}

const differences = (before: object, after: object): Fields =>
  Object.entries(after).filter(([name, value]: [string, unknown]) => Reflect.get(before, name) !== value);

function contentParts(item: Item): ContentParts {
  const known = partsOf.get(item.content);
  if (known?.extendedAttributes.external_reference === item.externalId) return known;
  const { domain, ...content } = item.content;
  const parts = { content, extendedAttributes: storableAttributes(flattenDomain(domain, stampOf(item))) };
  partsOf.set(item.content, parts);
  return parts;
}

/** Reuses the stored attributes when the domain is unchanged, so that a new price does not write them again. */
export function inheritAttributes(next: Item, previous: Item): void {
  const { domain, ...content } = next.content;
  const known = partsOf.get(previous.content)?.extendedAttributes;
  const isSame =
    next.content !== previous.content &&
    domain === previous.content.domain &&
    known?.external_reference === next.externalId &&
    known.schema_version === domainSchemaVersion;
  if (isSame) partsOf.set(next.content, { content, extendedAttributes: known });
}

/** The item of a row. Throws an Error for a damaged row. */
export function itemFromRow(row: ItemRow): Item {
  const { content, extendedAttributes, searchTerms } = row;
  const whole: ItemContent = { ...content, domain: unflattenDomain(attributesFromStored(extendedAttributes)).domain };
  partsOf.set(whole, { content, extendedAttributes });
  if (row.pushHash !== null) rememberHash(whole, row.pushHash);
  const item: Item = { ...ownFieldsOf(row), content: whole };
  if (item.removedAt === null) rememberTerms(item, searchTerms);
  return item;
}

/**
 * Copied field by field. The driver's object is a slow dictionary, and a rest pattern would make another one, which
 * costs more than reading the row from the database.
 */
const ownFieldsOf = (row: ItemRow): Omit<Item, 'content'> => ({
  id: itemId(row._id),
  accountId: accountId(row.accountId),
  externalId: row.externalId,
  current: row.current,
  removedAt: row.removedAt,
  purgeAt: row.purgeAt,
  version: row.version,
  revision: row.revision,
  settledRevision: row.settledRevision,
  startAt: row.startAt,
  starts: row.starts,
  bulk: row.bulk,
  trace: row.trace,
  acceptedAt: row.acceptedAt,
  contentNumber: row.contentNumber,
  refusedPriceOre: row.refusedPriceOre,
  enrichment: row.enrichment,
  serviceStatus: row.serviceStatus,
  marketplaceStatus: row.marketplaceStatus,
  wantedPublication: row.wantedPublication,
  relisted: row.relisted,
  quantityLeft: row.quantityLeft,
  listings: row.listings,
  imageSet: row.imageSet,
  imagesFailedTold: row.imagesFailedTold,
  outbox: [],
  sequence: row.sequence,
  journal: [],
  journalNumber: row.journalNumber,
  openOrderIds: row.openOrderIds,
  pendingOrders: [],
  unpaidOrderIds: row.unpaidOrderIds,
  processing: row.processing,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  changedAt: row.changedAt,
  ...(row.lastEventAt !== undefined && { lastEventAt: row.lastEventAt }),
  ...(row.requestId !== undefined && { requestId: row.requestId }),
});

const hashes = new WeakMap<ItemContent, string>();

/** Hash of a caller's content: equal for two pushes with the same content, whatever the order of their attributes. */
export function contentHash(content: ItemContent): string {
  const known = hashes.get(content);
  if (known !== undefined) return known;
  const hash = createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('base64url');
  hashes.set(content, hash);
  return hash;
}

/** Remembers the hash that was stored with the content. */
const rememberHash = (content: ItemContent, hash: string): void => void hashes.set(content, hash);

/**
 * The hash of a push that would change nothing and return no warning, so that bulk lines are compared without reading
 * the item. null while an equal push would do more: failed images are retried, a publication is in progress or was
 * given up, or bids hold a price.
 */
export function pushHashOf(item: Item): string | null {
  const newest = newestListing(item);
  const isPlain =
    item.current &&
    !hasFailedImages(item) &&
    !isBeingPublished(item) &&
    newest?.state !== 'failed' &&
    item.refusedPriceOre === null;
  return isPlain ? contentHash(item.content) : null;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, sorted(part)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
