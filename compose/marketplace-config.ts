import { callLimits } from '../features/listings/rules/call-budget.ts';
import type { ShippingOption } from '../features/listings/rules/listing-terms.ts';
import type { ReadSettings } from './read-settings.ts';

/** How the marketplace is reached, what it allows, and where its numbers may differ. */
export const readMarketplace = (read: ReadSettings, problems: string[]) => ({
  url: read.text('MARKETPLACE_URL').replace(/\/+$/, ''),
  appId: read.text('MARKETPLACE_APP_ID'),
  appKey: read.text('MARKETPLACE_APP_KEY'),
  /** The application's public key, for the login page of the marketplace; '' for none: user id and token are then pasted. */
  publicKey: read.optional('MARKETPLACE_PUBLIC_KEY'),
  /** Public address of an ad that has none in an answer. */
  adUrlTemplate: readAdUrl(read, problems),
  /** Pause between two looks at an account, at least. */
  lookIntervalMs: read.wholeNumber('MARKETPLACE_LOOK_INTERVAL_MS', 300_000),
  /**
   * Calls a day that the marketplace allows our application, over all accounts. The default is the limit of a new application. From a
   * million on calls are not counted.
   */
  callsPerDay: read.wholeNumber('MARKETPLACE_CALLS_PER_DAY', 100),
  /** Whether that is for all calls together, or for each method. */
  callLimit: read.oneOf('MARKETPLACE_CALL_LIMIT', callLimits),
  /** Category for items whose domain has no marketplace category. */
  fallbackCategoryId: read.wholeNumber('MARKETPLACE_FALLBACK_CATEGORY_ID', 536),
  requestTimeoutMs: read.wholeNumber('MARKETPLACE_REQUEST_TIMEOUT_MS', 15_000),
  wire: {
    jpegFormat: read.oneOf('MARKETPLACE_JPEG_FORMAT', ['0', '1']) === '1' ? 1 : 0,
    ownShipping: readShipping(read, problems, { name: 'MARKETPLACE_OWN_SHIPPING', usual: 'provider:6' }),
    pickup: readShipping(read, problems, { name: 'MARKETPLACE_PICKUP', usual: 'option:8' }),
    categories: readCategories(read, problems),
  } as const,
});

function readAdUrl(read: ReadSettings, problems: string[]): string {
  const template = read.text('MARKETPLACE_AD_URL', 'https://www.tradera.com/item/{adId}');
  if (!template.includes('{adId}') || !URL.canParse(template))
    problems.push('MARKETPLACE_AD_URL must be an address with {adId} in it');
  return template;
}

function readShipping(
  read: ReadSettings,
  problems: string[],
  { name, usual }: { name: string; usual: string },
): Omit<ShippingOption, 'cost'> {
  const [, kind, id] = /^(option|provider):(\d{1,9})$/.exec(read.text(name, usual)) ?? [];
  if (kind === undefined) problems.push(`${name} must be option:<number> or provider:<number>`);
  return kind === 'option' ? { optionId: Number(id) } : { providerId: Number(id) };
}

/** `516:23,533:30`: the marketplace's categories in place of those of the specification's table. */
function readCategories(read: ReadSettings, problems: string[]): ReadonlyMap<number, number> {
  const pairs = read.list('MARKETPLACE_CATEGORIES').map((pair) => /^([1-9]\d{0,8}):([1-9]\d{0,8})$/.exec(pair));
  if (pairs.includes(null)) problems.push('MARKETPLACE_CATEGORIES must list pairs of numbers, such as 516:23,533:30');
  return new Map(pairs.flatMap((pair) => (pair === null ? [] : [[Number(pair[1]), Number(pair[2])]])));
}
