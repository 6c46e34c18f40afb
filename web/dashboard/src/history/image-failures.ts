import type { PartnerItem } from '../../../../client/generated/types.gen.ts';

export type ImageFailure = NonNullable<PartnerItem['images'][number]['failure']>;
export type ImageFailureKind = ImageFailure['kind'];

/** Why an image could not be used and what helps, in Swedish, without the numbers of one image. */
export const imageFailureInSwedish: Readonly<Record<ImageFailureKind, string>> = {
  invalid_address: 'adressen är inte giltig',
  not_https: 'adressen börjar inte med https',
  not_public: 'adressen är inte öppen på internet',
  host_not_found: 'bildservern hittades inte: kontrollera att adressen är rätt skriven',
  unreachable: 'bildservern går inte att nå',
  untrusted: 'bildserverns certifikat går inte att lita på',
  broken: 'förbindelsen med bildservern bröts',
  too_slow: 'bildservern är för långsam',
  not_found: 'det finns ingen bild på adressen',
  no_access: 'bildservern släpper inte in oss: bilden måste vara öppen för alla',
  redirect: 'adressen leder vidare till en annan: skicka den slutliga adressen',
  too_many_requests: 'bildservern fick för många frågor: skicka artikeln igen senare',
  server_fault: 'bildservern har ett fel: skicka artikeln igen när den fungerar',
  http_error: 'bildservern sade nej',
  incomplete: 'bildservern skickade inte hela bilden',
  empty: 'bildservern skickade en tom fil',
  too_large: 'filen är för stor',
  not_an_image: 'filen är ingen bild i formatet JPEG, PNG, GIF, WebP eller AVIF',
  heic: 'HEIC-bilder kan inte läsas: skicka JPEG, PNG, WebP eller AVIF',
  damaged: 'filen är skadad',
  too_many_pixels: 'bilden har för många bildpunkter',
  undecodable: 'bilden kan inte läsas: spara om den i ett annat program',
  quota_exceeded: 'kontot har inte plats för fler bilder',
};

/** One sentence without its end, as in `det finns ingen bild på adressen (HTTP 404)`. */
export function describeInSwedish({ kind, number }: ImageFailure): string {
  return `${imageFailureInSwedish[kind]}${number === undefined ? '' : ` (${numberInSwedish(kind, number)})`}`;
}

function numberInSwedish(kind: ImageFailureKind, number: number): string {
  if (kind === 'too_large') return `högst ${number} MB`;
  if (kind === 'too_many_pixels') return `högst ${number} miljoner`;
  return kind === 'too_slow' || kind === 'undecodable' ? `efter ${number} s` : `HTTP ${number}`;
}
