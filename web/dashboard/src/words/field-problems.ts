import type { FieldProblem } from '../../../../client/generated/types.gen.ts';
import type { FieldProblemCode, UrlFault } from '../../../../features/rules/field-problems.ts';
import type { Language } from '../i18n/languages.ts';

type Pair = readonly [sv: string, en: string];

/**
 * What is said of a field after its name. `{max}` stands for that param, `[…]` is left out without the param in it. A
 * new code does not compile without sentences.
 */
export const fieldProblemTexts: Readonly<Record<FieldProblemCode, Pair>> = {
  required: ['saknas', 'is missing'],
  unknown_field: [
    'är inget känt fält[; menade du {suggestion}?]',
    'is not a known field[; did you mean {suggestion}?]',
  ],
  ignored_field: [
    'är inget känt fält och används inte[; menade du {suggestion}?]',
    'is not a known field and is ignored[; did you mean {suggestion}?]',
  ],
  more_unknown_fields: ['har {count} okända fält till', 'has {count} more unknown fields'],
  more_ignored_fields: ['har {count} okända fält till', 'has {count} more unknown fields'],
  more_problems: ['har {count} fel till', 'has {count} more problems'],
  repeated_field: ['finns mer än en gång; den sista gäller', 'occurs more than once; the last one counts'],
  repeated_names: ['finns mer än en gång; den sista gäller', 'occurs more than once; the last one counts'],
  several_names: [
    'ska skickas under ett namn, inte flera: {names}',
    'must be sent under one name, not several: {names}',
  ],
  images_read_back: [
    'ska skickas under ett namn, inte flera: {names}',
    'must be sent under one name, not several: {names}',
  ],
  unknown_parameter: ['är ingen känd parameter', 'is not a known parameter'],
  repeated_parameter: ['ska finnas en gång', 'must be there only once'],
  excluded_by: ['kan inte anges tillsammans med {other}', 'can’t be combined with {other}'],

  wrong_type: ['ska vara {type}', 'must be {type}'],
  not_json_object: ['ska vara ett JSON-objekt', 'must be a JSON object'],
  number_for_text: ['ska vara text', 'must be text'],
  text_for_list: ['ska vara en lista', 'must be a list'],
  text_for_number: ['ska vara ett tal, inte texten ”{text}”', 'must be a number, not the text “{text}”'],
  text_for_boolean: [
    'ska vara sant eller falskt, inte texten ”{text}”',
    'must be true or false, not the text “{text}”',
  ],
  text_for_object: ['ska vara ett JSON-objekt, till exempel {example}', 'must be a JSON object such as {example}'],
  not_valid: ['är inte giltigt', 'is not valid'],

  empty: ['får inte vara tomt', 'can’t be empty'],
  blank: ['får inte vara tomt', 'can’t be empty'],
  too_short: ['ska ha minst {min} tecken', 'must have at least {min} characters'],
  too_long: ['får ha högst {max} tecken', 'can have at most {max} characters'],
  wrong_length: ['ska ha 1–{max} tecken', 'must have 1–{max} characters'],
  wrong_length_or_nul: ['ska ha 1–{max} tecken', 'must have 1–{max} characters'],
  too_small: ['ska vara minst {min}', 'must be at least {min}'],
  too_large: ['får vara högst {max}', 'can be at most {max}'],
  not_whole_number: ['ska vara ett heltal från {min} till {max}', 'must be a whole number from {min} to {max}'],
  too_many_decimals: ['får ha högst två decimaler', 'can have at most two decimals'],
  too_few_entries: ['ska ha minst {min} värden', 'must have at least {min} entries'],
  too_many_entries: ['får ha högst {max} värden', 'can have at most {max} entries'],
  too_few_fields: ['ska ha minst {min} fält', 'must have at least {min} fields'],
  too_many_bytes: ['får vara högst {maxKb} kB totalt', 'can be at most {maxKb} KB in total'],
  not_one_of: ['ska vara något av: {allowed}', 'must be one of: {allowed}'],
  not_some_of: ['ska vara några av: {allowed}', 'must be some of: {allowed}'],
  not_the_value: ['ska vara {value}', 'must be {value}'],
  wrong_form: ['ska ha formen {form}', 'must have the form {form}'],
  wrong_format: ['har fel form', 'has the wrong form'],
  wrong_pattern: ['har fel form', 'has the wrong form'],
  not_text: ['innehåller tecken som inte går att spara', 'contains characters that can’t be stored'],
  key_not_text: ['har ett ogiltigt namn', 'has a name that isn’t valid'],
  entries_not_text: ['har {count} värden som inte är ren text', 'has {count} entries that are not plain text'],
  not_one_line: [
    'ska vara en enda rad text utan styrtecken',
    'must be a single line of text without control characters',
  ],
  not_plain_letters: [
    'får bara ha bokstäverna A–Z, siffror, _ och -',
    'can only have the letters A–Z, digits, _ and -',
  ],
  no_letter_or_digit: ['ska ha bokstäver eller siffror', 'must have letters or digits'],
  not_slug: [
    'får bara ha små bokstäver, siffror och bindestreck',
    'can only have lowercase letters, digits and hyphens',
  ],
  dot_segment: ['får inte vara . eller ..', 'can’t be . or ..'],
  not_header_text: [
    'får bara ha bokstäverna A–Z, siffror och vanliga tecken, utan mellanslag först och sist',
    'can only have the letters A–Z, digits and common signs, without spaces at its ends',
  ],

  not_https_url: ['{reason}', '{reason}'],
  has_fragment: ['får inte innehålla #', 'can’t contain #'],
  not_public: ['ska vara en adress som går att nå från internet', 'must be reachable from the internet'],
  not_network: [
    'ska vara en IP-adress eller ett nät, till exempel 203.0.113.0/24',
    'must be an IP address or a network such as 203.0.113.0/24',
  ],
  not_uuid: ['ska vara ett UUID', 'must be a UUID'],
  not_email: ['ska vara en e-postadress', 'must be an email address'],
  not_isbn: [
    'ska vara ett giltigt ISBN[; det har tecken som inte syns: {unseen}]',
    'must be a valid ISBN[; it has characters that can’t be seen: {unseen}]',
  ],
  not_language: [
    'ska vara en språkkod, till exempel sv eller en-GB[; den har tecken som inte syns: {unseen}]',
    'must be a language code such as sv or en-GB[; it has characters that can’t be seen: {unseen}]',
  ],
  unknown_language: ['är inget känt språk; det sparas ändå', 'is not a known language; it is saved anyway'],
  not_plate: [
    'ska vara ett svenskt registreringsnummer, till exempel MLB 84A[; det har tecken som inte syns: {unseen}]',
    'must be a Swedish registration number such as MLB 84A[; it has characters that can’t be seen: {unseen}]',
  ],
  not_logo: [
    'ska vara en bild i PNG, JPEG eller WebP, högst {maxKb} kB',
    'must be a PNG, JPEG or WebP picture, at most {maxKb} KB',
  ],
  repeated_image: [
    'är samma bild som imageUrls.{first} och används inte',
    'is the same image as imageUrls.{first} and is ignored',
  ],

  not_time: ['ska vara en tidpunkt, till exempel 2026-11-21T12:00:00Z', 'must be a time such as 2026-11-21T12:00:00Z'],
  not_calendar_time: ['finns inte i kalendern', 'is not in the calendar'],
  not_future: ['ska ligga i framtiden', 'must be in the future'],
  in_future: ['får inte ligga i framtiden', 'can’t be in the future'],
  too_old: ['får vara högst {days} dagar bakåt', 'can be at most {days} days ago'],
  wrong_duration: ['ska vara 1–{maxDays} dagar efter starten', 'must be 1–{maxDays} days after the start'],

  unknown_cursor: ['gäller inte längre: börja om från början', 'is no longer valid: start over'],
  foreign_cursor: ['gäller inte längre: börja om från början', 'is no longer valid: start over'],
  cursor_of_other_filters: ['gäller inte längre: börja om från början', 'is no longer valid: start over'],
  nothing_to_search: ['ska ha 1–{max} tecken', 'must have 1–{max} characters'],
  no_word: ['ska ha ett ord och högst {max} tecken', 'must have a word and at most {max} characters'],
  too_many_words: ['får ha högst {max} ord', 'can have at most {max} words'],
  not_domain: ['är ingen känd kategori', 'is not a known category'],
  not_status_filter: ['ska vara en status som 422 eller 4xx', 'must be a status such as 422 or 4xx'],
  not_user_ids: ['ska vara 1–{max} användar-id', 'must be 1–{max} user ids'],

  same_market: ['ska vara den andra marknaden', 'must be the other market'],
  not_category_number: ['ska vara ett positivt heltal', 'must be a positive whole number'],
  unknown_category: ['är ingen känd kategori', 'is not a known category'],
  other_category: [
    'är en annan kategori än artikelns ({category}), och {lost} skulle tömmas',
    'is another category than the item’s ({category}), and {lost} would be emptied',
  ],
  not_above_price: ['ska vara högre än priset ({price} kr)', 'must be above the price (SEK {price})'],
  not_above_reserve: [
    'ska vara högre än reservationspriset ({reservePrice} kr)',
    'must be above the reserve price (SEK {reservePrice})',
  ],
  not_below_reserve: [
    'ska vara lägre än reservationspriset ({reservePrice} kr)',
    'must be below the reserve price (SEK {reservePrice})',
  ],
  not_below_buy_now: [
    'ska vara lägre än köp nu-priset ({buyNowPrice} kr)',
    'must be below the buy-now price (SEK {buyNowPrice})',
  ],
  option_or_provider: ['ska anges, eller providerId, men inte båda', 'must be given, or providerId, but not both'],
  needs_provider: ['kräver providerId', 'needs providerId'],
  repeated_option: ['finns mer än en gång', 'occurs more than once'],
  unconfirmed_amount: [
    'måste bekräftas: beloppet är minst tio gånger artikelns pris ({price} kr)',
    'has to be confirmed: the amount is at least ten times the price of the item (SEK {price})',
  ],

  repeated_id: ['finns på rad {line} också; den sista raden gäller', 'is in line {line} too; the last line counts'],
  lookalike_id: [
    'ser ut som ett annat artikel-id[ (rad {line})] men är skrivet med andra tecken: det blir två artiklar',
    'looks like another item id[ (line {line})] but is written with other characters: they become two items',
  ],
  shortened_twice: [
    'finns på flera rader[ (se rad {line})] för olika artiklar: ett kalkylprogram har förkortat deras id',
    'is on several lines[ (see line {line})] for different items: a spreadsheet has shortened their ids',
  ],
  shortened: [
    'är ett långt tal som ett kalkylprogram har förkortat; det sparas ändå',
    'is a long number that a spreadsheet has shortened; it is saved anyway',
  ],
  too_many_shortened: [
    'är på {lines} rader ett långt tal som ett kalkylprogram har förkortat: gör om kolumnen till text där och spara filen igen',
    'is a long number that a spreadsheet has shortened in {lines} lines: make the column text there and save the file again',
  ],
  control_characters: ['har styrtecken; det sparas ändå', 'has control characters; it is saved anyway'],
  unseen_characters: [
    'har tecken som inte syns ({unseen}); det sparas ändå',
    'has characters that can’t be seen ({unseen}); it is saved anyway',
  ],
  only_blanks: ['har bara blanktecken; det sparas ändå', 'has nothing but blanks; it is saved anyway'],
  outer_blank: [
    'har ett blanktecken först eller sist; det sparas ändå',
    'begins or ends with a blank; it is saved anyway',
  ],
  placeholder: [
    'är ”{text}”, som betyder att ett värde saknas; det sparas ändå',
    'is “{text}”, which stands for a missing value; it is saved anyway',
  ],
  wrong_encoding: [
    'har bokstäver som lästs med fel teckenkodning, ”{text}”; det sparas ändå',
    'has letters read in the wrong encoding, “{text}”; it is saved anyway',
  ],
  formula: [
    'ser ut som en formel från ett kalkylprogram; det sparas ändå',
    'looks like a spreadsheet formula; it is saved anyway',
  ],
  other_account: ['gäller ett annat konto', 'is for another account'],
  line_without_item: ['hör inte till någon artikel[: {error}]', 'belongs to no item[: {error}]'],
  unconfirmed: ['måste bekräftas', 'must be confirmed'],

  whole_kronor: [
    'blir {kronor} kr på marknadsplatsen, som bara har hela kronor',
    'becomes SEK {kronor} on the marketplace, which uses whole kronor only',
  ],
  reference_left_out: [
    'är längre än {max} tecken och följer inte med till marknadsplatsen',
    'is longer than {max} characters and isn’t sent to the marketplace',
  ],
  title_cut: [
    'kortas på marknadsplatsen till {max} tecken: ”{shown}”',
    'is cut to {max} characters at the marketplace: “{shown}”',
  ],
  description_cut: [
    'kortas på marknadsplatsen, som tar {max} tecken med formatering',
    'is cut at the marketplace, which takes {max} characters with markup',
  ],
  not_connected: [
    'Inget konto på marknadsplatsen är anslutet; artikeln publiceras när ett är det',
    'No marketplace account is connected; the item is published once one is',
  ],
  connection_expired: [
    'Anslutningen till marknadsplatsen har gått ut; artikeln publiceras när den är förnyad',
    'The marketplace connection has expired; the item is published once it is renewed',
  ],
  given_up: [
    'Publiceringen har misslyckats[ ({lastError})]. Välj Publicera igen för ett nytt försök',
    'Publishing has failed[ ({lastError})]. Choose Publish again to retry',
  ],
  pending: [
    'ändras inte på en pågående auktion; det gäller från nästa',
    'isn’t changed on a running auction; it applies from the next one',
  ],
  price_held: ['Auktionen har bud, så priset ändras inte', 'The auction has bids, so the price doesn’t change'],
  reserve_kept: [
    'Auktionen behåller sitt reservationspris på {reservePrice} kr, så priset ändras inte',
    'The auction keeps its reserve price of SEK {reservePrice}, so the price doesn’t change',
  ],
  sold_since: [
    'gäller nu {counts}; {sold} har sålts sedan antalet sattes till {told}',
    'is now {counts}; {sold} were sold since it was set to {told}',
  ],

  too_few_visible: ['ska ha minst {min} synliga tecken', 'must have at least {min} visible characters'],
  too_few_different: ['ska ha minst {min} olika tecken', 'must have at least {min} different characters'],
  common_password: [
    'är ett av de vanligaste lösenorden: välj ett annat',
    'is one of the most common passwords: choose another',
  ],
  password_is_email: ['får inte vara e-postadressen eller en del av den', 'can’t be the email address or part of it'],
  same_password: ['ska vara ett annat än det gamla', 'must differ from the old one'],
  wrong_password: ['stämmer inte', 'is wrong'],
  same_email: ['är redan kontots adress', 'is already this account’s address'],
  dead_link: [
    'kommer från en länk som har använts eller gått ut',
    'comes from a link that has been used or has expired',
  ],
  wrong_mode: ['går inte att välja här', 'can’t be chosen here'],
  key_used: ['har redan använts för något annat', 'has already been used for something else'],
  invited_twice: ['finns två gånger', 'is here twice'],
  other_reseller: ['har ändrats', 'has changed'],
};

const pairs: ReadonlyMap<string, Pair> = new Map(Object.entries(fieldProblemTexts));

const noUrl: Pair = ['ska vara en giltig https-adress', 'must be a valid https URL'];
const several: Pair = [
  'innehåller flera adresser: skriv var och en för sig',
  'contains several addresses: give each on its own',
];

const urlFaults: Readonly<Record<UrlFault, Pair>> = {
  empty: noUrl,
  several,
  control_character: noUrl,
  outer_blank: ['har ett blanktecken först eller sist', 'begins or ends with a blank'],
  http: ['ska börja med https://, inte http://', 'must start with https://, not http://'],
  not_https: ['ska börja med https://', 'must start with https://'],
  backslash: ['innehåller ett omvänt snedstreck: skriv /', 'contains a backslash: write /'],
  separator: several,
  space: ['innehåller ett mellanslag: skriv %20', 'contains a space: write %20'],
  no_host: noUrl,
  wrong_host: noUrl,
  credentials: ['får inte innehålla användarnamn eller lösenord', 'can’t contain a user name or password'],
};

/** Params that are words of the interface, by name and value. */
const words: Readonly<Record<string, Readonly<Record<string, Pair>>>> = {
  reason: urlFaults,
  type: {
    string: ['text', 'text'],
    number: ['ett tal', 'a number'],
    integer: ['ett heltal', 'a whole number'],
    boolean: ['sant eller falskt', 'true or false'],
    object: ['ett JSON-objekt', 'a JSON object'],
    array: ['en lista', 'a list'],
  },
};

/** The problem of a field in the page's language, after the name of the field; an unknown code becomes "not valid". */
export function tellFieldProblem({ code, params }: Pick<FieldProblem, 'code' | 'params'>, language: Language): string {
  const place = language === 'sv' ? 0 : 1;
  const pair = pairs.get(code) ?? fieldProblemTexts.not_valid;
  const filled = (name: string): string => {
    const value = params[name];
    if (typeof value !== 'string') return typeof value === 'number' ? String(value) : '';
    // A type may end with "or null", which people need not know.
    const [word = ''] = value.split(' or ');
    return words[name]?.[word]?.[place] ?? value;
  };
  return pair[place]
    .replaceAll(/\[([^\]]*\{(\w+)\}[^\]]*)\]/g, (_, part: string, name: string) => (name in params ? part : ''))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => filled(name));
}
