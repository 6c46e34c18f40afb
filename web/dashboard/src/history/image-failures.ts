import type { PartnerItem } from '../../../../client/generated/types.gen.ts';
import type { Language } from '../i18n/languages.ts';

export type ImageFailure = NonNullable<PartnerItem['images'][number]['failure']>;
export type ImageFailureKind = ImageFailure['kind'];

/** The problem of an image and its remedy, without the numbers of one image. */
export const imageFailureTexts: Readonly<Record<Language, Readonly<Record<ImageFailureKind, string>>>> = {
  sv: {
    invalid_address: 'adressen är inte giltig',
    not_https: 'adressen börjar inte med https',
    not_public: 'adressen är inte öppen på internet',
    host_not_found: 'bildservern hittades inte: kontrollera att adressen är rätt skriven',
    unreachable: 'bildservern går inte att nå',
    untrusted: 'bildserverns certifikat är inte giltigt',
    broken: 'förbindelsen med bildservern bröts',
    too_slow: 'bildservern är för långsam',
    not_found: 'det finns ingen bild på adressen',
    no_access: 'bildservern nekar åtkomst: bilden måste vara öppen för alla',
    redirect: 'adressen leder vidare till en annan som inte går att använda: skicka den slutliga adressen',
    too_many_requests: 'bildservern fick för många anrop: skicka artikeln igen senare',
    server_fault: 'bildservern har ett fel: skicka artikeln igen när den fungerar',
    http_error: 'bildservern nekade',
    incomplete: 'bildservern skickade inte hela bilden',
    empty: 'bildservern skickade en tom fil',
    too_large: 'filen är för stor',
    not_an_image: 'filen är ingen bild i formatet JPEG, PNG, GIF, WebP eller AVIF',
    heic: 'HEIC-bilder kan inte läsas: skicka JPEG, PNG, WebP eller AVIF',
    damaged: 'filen är skadad',
    too_many_pixels: 'bilden har för många bildpunkter',
    undecodable: 'bilden kan inte läsas: spara om den i ett annat program',
    quota_exceeded: 'kontot har inte plats för fler bilder',
  },
  en: {
    invalid_address: 'the address is not valid',
    not_https: 'the address doesn’t start with https',
    not_public: 'the address is not public',
    host_not_found: 'the image server was not found: check that the address is spelled correctly',
    unreachable: 'the image server can’t be reached',
    untrusted: 'the image server’s certificate is not valid',
    broken: 'the connection to the image server was lost',
    too_slow: 'the image server is too slow',
    not_found: 'there is no image at this address',
    no_access: 'the image server denies access: the image must be public',
    redirect: 'the address redirects to one that can’t be used: send the final address',
    too_many_requests: 'the image server got too many requests: send the item again later',
    server_fault: 'the image server has an error: send the item again when it works',
    http_error: 'the image server refused the request',
    incomplete: 'the image server didn’t send the whole image',
    empty: 'the image server sent an empty file',
    too_large: 'the file is too large',
    not_an_image: 'the file is not a JPEG, PNG, GIF, WebP or AVIF image',
    heic: 'HEIC images can’t be read: send JPEG, PNG, WebP or AVIF',
    damaged: 'the file is damaged',
    too_many_pixels: 'the image has too many pixels',
    undecodable: 'the image can’t be read: save it again in another program',
    quota_exceeded: 'the account has no room for more images',
  },
};

/** A sentence without its full stop: `det finns ingen bild på adressen (HTTP 404)`. */
export function tellImageFailure({ kind, number }: ImageFailure, language: Language): string {
  const told = imageFailureTexts[language][kind];
  return number === undefined ? told : `${told} (${numberWords[language](kind, number)})`;
}

const numberWords: Readonly<Record<Language, (kind: ImageFailureKind, number: number) => string>> = {
  sv: (kind, number) => {
    if (kind === 'too_large') return `högst ${number} MB`;
    if (kind === 'too_many_pixels') return `högst ${number} miljoner`;
    return isAfter(kind) ? `efter ${number} s` : `HTTP ${number}`;
  },
  en: (kind, number) => {
    if (kind === 'too_large') return `at most ${number} MB`;
    if (kind === 'too_many_pixels') return `at most ${number} million`;
    return isAfter(kind) ? `after ${number} s` : `HTTP ${number}`;
  },
};

const isAfter = (kind: ImageFailureKind): boolean => kind === 'too_slow' || kind === 'undecodable';
