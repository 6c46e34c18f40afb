import { plateAlone } from '../items/enrich-item.ts';
import { allImagesFailed } from '../items/image-set.ts';
import { isUnwanted, newestListing, type Item } from '../items/item.ts';
import { isTrouble, type BlockedReason } from './reasons.ts';

/** Why an item is blocked, or what problem it came to rest with. */
export interface Blocked {
  /** A {@link BlockedReason}, or a reason that only a newer version knows. */
  readonly reason: string;
  readonly since: Date;
}

/** The most important blocked reason of an item for an operator; null when there is none. */
export function blockedReasonOf(item: Item): Blocked | null {
  const { processing } = item;
  if (processing.waitingFor !== null && !isTrouble(processing.waitingFor)) return null;
  if (processing.waitingFor !== null && !(processing.waitingFor === 'images' && isUnwanted(item)))
    return { reason: processing.waitingFor, since: processing.since ?? processing.updatedAt };
  const reason = item.removedAt === null ? restingReason(item) : null;
  return reason === null ? null : { reason, since: processing.updatedAt };
}

function restingReason(item: Item): BlockedReason | null {
  if (item.processing.stage === 'given_up') return 'given_up';
  if (isChangeRefused(item)) return 'change_refused';
  if (isUnwanted(item)) return null;
  // Those of an auction that is up failed: it keeps the pictures that it has, and nothing else says so.
  return allImagesFailed(item) ? 'images' : unanswered(item);
}

/** The refusal ends with the auction, or with the next accepted write. */
function isChangeRefused(item: Item): boolean {
  const newest = newestListing(item);
  return newest?.state === 'live' && newest.hasBids && newest.refusedRevision === item.revision;
}

/** What the service could not find out: the item went on without it. */
function unanswered({ content, enrichment: { vehicle, text } }: Item): BlockedReason | null {
  if (vehicle !== null && vehicle.found === null && vehicle.plate === plateAlone(content))
    return vehicle.unansweredAtRevision === null ? 'plate_unknown' : 'registry_silent';
  return content.useAiEnhancement && text !== null && text.unansweredAtRevision !== null ? 'text_model_silent' : null;
}
