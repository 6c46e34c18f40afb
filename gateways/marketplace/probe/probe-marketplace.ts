import { domainRows } from '../../../features/rules/domains.ts';
import type { MarketplaceAccess } from '../marketplace-http.ts';
import type { ListingDraft } from '../port.ts';
import { draftBody, imageBody, type WireSettings } from '../wire.ts';
import { findingsOf } from './assumptions.ts';
import type { Finding } from './findings.ts';
import { countCalls, looksOf, lookForProbe, type ProbeOptions } from './look-for-probe.ts';

export interface ProbeSettings {
  readonly access: MarketplaceAccess;
  readonly wire: WireSettings;
  readonly fallbackCategoryId: number;
  readonly requestTimeoutMs: number;
  readonly seller: ProbeOptions['seller'];
  /** Whether a draft is created that is never committed. */
  readonly withDraft: boolean;
  readonly now: Date;
}

/** What the marketplace was seen to be, beside what the adapter takes for granted. */
export interface MarketplaceProbe {
  /** Of the application's calls of the day, at most. */
  readonly calls: number;
  run(): Promise<readonly Finding[]>;
}

export function probeMarketplace(settings: ProbeSettings): MarketplaceProbe {
  const { access, wire, seller, requestTimeoutMs, now } = settings;
  const categoryIds = publishedCategories(settings);
  const [first = 0, second = first] = categoryIds;
  const draft = settings.withDraft && seller !== null ? sampleDraft(settings, first) : null;
  const options = { access, seller, draft, requestTimeoutMs, now, categoryIds: [first, second] as const };
  return {
    calls: countCalls(looksOf(options)),
    run: async () => findingsOf({ looked: await lookForProbe(options), wire, categoryIds, now }),
  };
}

function publishedCategories({ wire, fallbackCategoryId }: ProbeSettings): readonly number[] {
  const own = [...domainRows.flatMap(({ outboundCategoryId }) => outboundCategoryId ?? []), fallbackCategoryId];
  return [...new Set(own.map((id) => wire.categories.get(id) ?? id))];
}

/** A grey JPEG of 16 by 16. */
const smallPicture = Buffer.from(
  [
    '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE',
    '4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAQABADASIAAhEBAxEB/8QAFQAB',
    'AQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAA',
    'D/2gAMAwEAAhEDEQA/AKAB/9k=',
  ].join(''),
  'base64',
);

function sampleDraft({ wire }: ProbeSettings, categoryId: number): ProbeOptions['draft'] {
  const draft: ListingDraft = {
    title: 'Test, not for sale',
    descriptionHtml: 'Test, not for sale',
    categoryId,
    weightKg: null,
    startPriceKronor: 1,
    reservePriceKronor: null,
    buyNowPriceKronor: null,
    vatPercent: null,
    shippingKronor: 50,
    shippingOptions: null,
    durationDays: 7,
    endsAt: null,
    ownReferences: ['itembridge-probe'],
  };
  return { listing: draftBody(draft, wire), picture: imageBody(smallPicture, wire) };
}
