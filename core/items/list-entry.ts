import type { DomainSlug } from '../domains/domain-table.ts';
import { effectiveContent } from './enrich-item.ts';
import { hostedImages } from './image-set.ts';
import type { Item } from './item.ts';
import type { WaitingFor } from './processing.ts';
import { describeStatus, type ItemStatus } from './item-status.ts';

/** Orders of the list that a caller may ask for; a minus: the latest first. The first is the usual one. */
export const itemSorts = ['-created', 'created', '-updated', 'updated'] as const;
export type ItemSort = (typeof itemSorts)[number];

/** One item of the list. Source: specification "Item status (read response)", interface-decisions "Items". */
export interface ItemListEntry extends ItemStatus {
  readonly title: string;
  /** Also `other` for an item whose push named no domain. */
  readonly domain: DomainSlug;
  /** As `processing.waitingFor` of the item. */
  readonly waitingFor: WaitingFor | null;
  readonly updatedAt: string;
  readonly thumbnailUrl: string | null;
}

export function describeListEntry(item: Item, thumbnailUrl: (contentHash: string) => string): ItemListEntry {
  const { title, domain } = effectiveContent(item);
  const contentHash = hostedImages(item)[0]?.contentHash ?? null;
  return {
    ...describeStatus(item),
    title,
    domain: domain?.slug ?? 'other',
    waitingFor: item.processing.waitingFor,
    updatedAt: (item.changedAt ?? item.updatedAt).toISOString(),
    thumbnailUrl: contentHash === null ? null : thumbnailUrl(contentHash),
  };
}
