import type { FailureCause } from '../../../../features/listings/rules/listing-failure.ts';
import type { Language } from '../i18n/languages.ts';

/** Every code with which `lastError` of an item may begin. */
export type ItemFailure =
  | FailureCause
  | 'REPLACE_REFUSED_BIDS'
  | 'PRICE_REFUSED_BIDS'
  | 'IMAGES_FAILED'
  /** A failure of the item's work that does not concern the marketplace. */
  | 'OTHER';

type Sentences = Readonly<Record<ItemFailure, string>>;

/** The failure of an item, without the full stop. A new code does not compile without sentences. */
export const itemFailureTexts: Readonly<Record<Language, Sentences>> = {
  sv: {
    MARKETPLACE_NOT_CONNECTED: 'Inget konto på marknadsplatsen är anslutet',
    MARKETPLACE_TOKEN_EXPIRED: 'Anslutningen till marknadsplatsen har gått ut',
    MARKETPLACE_BUDGET_EXHAUSTED: 'Dagens kvot hos marknadsplatsen är slut',
    MARKETPLACE_TIMEOUT: 'Marknadsplatsen svarade inte, eller svarade med ett fel',
    MARKETPLACE_UNSEEN: 'Fel hos oss: auktionerna på marknadsplatsen läses in på nytt',
    MARKETPLACE_ACTIVE_LIMIT: 'Marknadsplatsen tillåter inte fler aktiva annonser för kontot',
    MARKETPLACE_APPLICATION_REFUSED: 'Fel hos oss: marknadsplatsen nekar tjänstens behörighet',
    IMAGE_STORE_FAILED: 'Fel hos oss: en bild kunde inte läsas',
    TAKEDOWN_REFUSED_BIDS: 'Auktionen har bud och pågår tills den är slut',
    TAKEDOWN_REFUSED: 'Marknadsplatsen tog inte ned auktionen',
    AUCTION_OVER: 'Auktionen är slut; resultatet hämtas',
    PUBLICATION_UNCLEAR: 'Det är oklart om auktionen ligger uppe på marknadsplatsen',
    DRAFT_FAILS: 'Marknadsplatsen klarar inte av annonsen: kontrollera frakt och kategori',
    PRICE_REFUSED: 'Marknadsplatsen nekade priset',
    LISTING_REFUSED: 'Marknadsplatsen nekade annonsen',
    REPLACE_REFUSED_BIDS: 'Auktionen har bud, så den ersätts inte',
    PRICE_REFUSED_BIDS: 'Auktionen har bud, så priset ändras inte',
    IMAGES_FAILED: 'Ingen av bilderna kunde användas',
    OTHER: 'Något gick fel',
  },
  en: {
    MARKETPLACE_NOT_CONNECTED: 'No marketplace account is connected',
    MARKETPLACE_TOKEN_EXPIRED: 'The marketplace connection has expired',
    MARKETPLACE_BUDGET_EXHAUSTED: 'Today’s marketplace quota is used up',
    MARKETPLACE_TIMEOUT: 'The marketplace didn’t respond, or responded with an error',
    MARKETPLACE_UNSEEN: 'Problem on our side: the auctions on the marketplace are being read anew',
    MARKETPLACE_ACTIVE_LIMIT: 'The marketplace allows no more active listings for this account',
    MARKETPLACE_APPLICATION_REFUSED: 'Problem on our side: the marketplace is refusing the service’s access',
    IMAGE_STORE_FAILED: 'Problem on our side: an image couldn’t be read',
    TAKEDOWN_REFUSED_BIDS: 'The auction has bids and will run to its end',
    TAKEDOWN_REFUSED: 'The marketplace did not take down the auction',
    AUCTION_OVER: 'The auction has ended; the result is being fetched',
    PUBLICATION_UNCLEAR: 'It is unclear whether the auction is up on the marketplace',
    DRAFT_FAILS: 'The marketplace can’t handle the listing: check shipping and category',
    PRICE_REFUSED: 'The marketplace rejected the price',
    LISTING_REFUSED: 'The marketplace rejected the listing',
    REPLACE_REFUSED_BIDS: 'The auction has bids, so it isn’t replaced',
    PRICE_REFUSED_BIDS: 'The auction has bids, so the price doesn’t change',
    IMAGES_FAILED: 'None of the images could be used',
    OTHER: 'Something went wrong',
  },
};

/** After these codes comes the marketplace's own message, which a seller may need. */
const quoting: ReadonlySet<ItemFailure> = new Set([
  'LISTING_REFUSED',
  'PRICE_REFUSED',
  'TAKEDOWN_REFUSED',
  'MARKETPLACE_ACTIVE_LIMIT',
]);
/** The service's text when the marketplace sent no message. */
const ownWords = /^(?:Error)?$/;

const givenUpSuffix = /_GIVEN_UP$/;

/** From an error of an item, `CODE: message`. */
export function tellItemFailure(error: string, language: Language): string {
  const [, written = '', said = ''] = /^([A-Z][A-Z_]+): (.*)$/s.exec(error) ?? [];
  const code = codeOf(written.replace(givenUpSuffix, ''));
  const sentence = itemFailureTexts[language][code];
  const quote = quoting.has(code) ? said.replace(/\.$/, '').trim() : '';
  if (ownWords.test(quote)) return `${sentence}.`;
  return language === 'sv' ? `${sentence}: ”${quote}”.` : `${sentence}: “${quote}”.`;
}

const codeOf = (code: string): ItemFailure => (isItemFailure(code) ? code : 'OTHER');
const isItemFailure = (code: string): code is ItemFailure => Object.hasOwn(itemFailureTexts.en, code);
