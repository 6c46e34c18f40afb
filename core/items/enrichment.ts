import type { ItemContent } from './item-content.ts';

/**
 * What the service found out by itself, beside the caller's own content: each part with the input it was made from, so that it
 * is clear when it is out of date. An outcome of null means "asked, nothing came of it": the item goes on without.
 */
export interface Enrichment {
  readonly text: {
    readonly of: ItemText;
    readonly improved: ItemText | null;
    readonly unansweredAtRevision: UnansweredAtRevision;
  } | null;
  readonly vehicle: {
    readonly plate: string;
    readonly found: FoundVehicle | null;
    readonly unansweredAtRevision: UnansweredAtRevision;
  } | null;
  /** Category on the marketplace of an item that the table of domains doesn't place. */
  readonly category: { readonly title: string; readonly categoryId: number } | null;
}

/**
 * The item's revision when nobody answered, because model or registry were away: the question is put again once there was a
 * further accepted write, and only then, so that one which is away for long is never asked in a loop. null: there was an answer.
 */
type UnansweredAtRevision = number | null;

export type ItemText = Pick<ItemContent, 'title' | 'description'>;

export interface FoundVehicle {
  readonly make: string;
  readonly model: string;
  readonly year: number;
}

export const noEnrichment: Enrichment = { text: null, vehicle: null, category: null };

export type EnrichmentPart = keyof Enrichment;

/** null: asked, and there is nothing. `unanswered`: nobody answered in time. */
export type Answer<Found> = Found | null | 'unanswered';

/** `used-up`: the account may not ask now. */
export type VehicleAnswer = Answer<FoundVehicle> | 'used-up';

/** What came of one part, with the input that was asked about. */
export type Finding =
  | { readonly part: 'text'; readonly of: ItemText; readonly answer: Answer<ItemText> }
  | { readonly part: 'vehicle'; readonly plate: string; readonly answer: VehicleAnswer }
  | { readonly part: 'category'; readonly title: string; readonly categoryId: number };
