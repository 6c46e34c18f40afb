import type { ItemContent } from './item-content.ts';

/**
 * What the service found out, beside the caller's own content. Each part holds the input it was made from, so that an outdated
 * part is recognised. A null outcome means "asked, without a result": the item goes on without it.
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
 * The item's revision when the language model or the registry did not answer; null when there was an answer. The question is
 * asked again only after a further accepted write, so that a service which is down for long is never asked in a loop.
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

/** null: asked, without a result. `unanswered`: no answer came in time. */
export type Answer<Found> = Found | null | 'unanswered';

/** `used-up`: the account has no look-ups left for now. */
export type VehicleAnswer = Answer<FoundVehicle> | 'used-up';

/** The answer for one part, with the input that was asked about. */
export type Finding =
  | { readonly part: 'text'; readonly of: ItemText; readonly answer: Answer<ItemText> }
  | { readonly part: 'vehicle'; readonly plate: string; readonly answer: VehicleAnswer }
  | { readonly part: 'category'; readonly title: string; readonly categoryId: number };
