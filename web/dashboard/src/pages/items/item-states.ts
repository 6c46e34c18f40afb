import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';
import { movingMs, restingMs } from '../../api/use-polling.ts';
import type { Tone } from '../../ui/badge.tsx';

export type ServiceStatus = ItemListEntry['serviceStatus'];
export type MarketplaceStatus = ItemListEntry['marketplaceStatus'];

export const serviceTones: Readonly<Record<ServiceStatus, Tone>> = {
  draft: 'quiet',
  active: 'ok',
  sold: 'info',
  not_listed: 'quiet',
  archived: 'quiet',
};

export const marketplaceTones: Readonly<Record<MarketplaceStatus, Tone>> = {
  active: 'ok',
  sold: 'info',
  ended: 'quiet',
  pending_sync: 'quiet',
  sync_error: 'bad',
};

/** None of its images could be fetched: it stays a draft until its owner sends others. */
export const hasNoImages = ({ waitingFor }: Pick<ItemListEntry, 'waitingFor'>): boolean => waitingFor === 'images';

/** After that long without a change something waits for more than the next step. */
const stirringMs = 5 * 60_000;

/** How soon to look again at something that changed at `updatedAt` and has steps before it, or has not. */
export const lookAgainMs = (hasStepsAhead: boolean, updatedAt: string): number =>
  hasStepsAhead && Date.now() - Date.parse(updatedAt) < stirringMs ? movingMs : restingMs;

/** How soon to look at a list again: the busiest of its rows says so. */
export const lookAtListAgainMs = (rows: readonly ItemListEntry[]): number =>
  Math.min(restingMs, ...rows.map((row) => lookAgainMs(row.marketplaceStatus === 'pending_sync', row.updatedAt)));
