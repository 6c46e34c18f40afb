/** A broken rule of a field, or a warning about it. Only {@link problem} and {@link told} make one. */
export interface FieldProblem extends Told {
  /** Dotted path such as `imageUrls.0`. */
  readonly field: string;
}

export interface Told {
  readonly code: FieldProblemCode;
  /** Follows the name of the field to an English sentence. */
  readonly message: string;
  /** What the message is made of: never a secret, because nothing is here that the message does not say. */
  readonly params: Readonly<Record<string, string | number>>;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** `string or null` → `a string or null`. */
const named = (type: string): string =>
  type
    .split(' or ')
    .map((name) => typeNames[name] ?? name)
    .join(' or ');

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);
const meant = (suggestion?: string): string => (suggestion === undefined ? '' : `; did you mean ${suggestion}?`);
const hidden = (unseen?: string): string => (unseen === undefined ? '' : `: it has ${unseen}, which can't be seen`);

const urlFaults = {
  empty: 'it is empty',
  several: 'it has several addresses: send each on its own',
  control_character: 'it has a control character',
  outer_blank: 'it begins or ends with a blank',
  http: 'it begins with http://',
  not_https: 'it does not begin with https://',
  backslash: 'it has a backslash: write /',
  separator: 'it has a space beside a separator: send several addresses each on its own',
  space: 'it has a space: write %20',
  no_host: 'two slashes and a host follow https:',
  wrong_host: 'its host or port is not valid',
  credentials: 'it must not hold a user name or password',
} as const;
export type UrlFault = keyof typeof urlFaults;

const sandboxFaults = {
  none: 'this service has no sandbox',
  whole: 'the only marketplace is a simulated one',
  apart: '',
};

/** Every code and its sentence. docs/reference/errors.md lists them. */
const sentences = {
  required: () => 'is required',
  unknown_field: ({ suggestion }: { suggestion?: string }) => `is not a known field${meant(suggestion)}`,
  ignored_field: ({ suggestion }: { suggestion?: string }) => `is not a known field and is ignored${meant(suggestion)}`,
  more_unknown_fields: ({ count }: { count: number }) => `has ${count} more unknown fields, which are not listed`,
  more_ignored_fields: ({ count }: { count: number }) => `has ${count} more unknown fields, which are ignored`,
  more_problems: ({ count }: { count: number }) => `has ${count} more problems that are not listed`,
  repeated_field: () => 'stands there more than once: the last one counts',
  repeated_names: () => 'has a name more than once: the last one counts',
  several_names: ({ names }: { names: string }) =>
    `must be sent under one name only, not as ${names.replaceAll(', ', ' and ')}`,
  images_read_back: ({ names }: { names: string }) =>
    `must be sent under one name only, not as ${names.replaceAll(', ', ' and ')}; leave out images, which view=full adds to say what became of imageUrls`,
  unknown_parameter: () => 'is not a parameter of this path',
  repeated_parameter: () => 'must be there only once, as text',
  excluded_by: ({ other }: { other: string }) => `can’t be given with ${other}`,

  wrong_type: ({ type }: { type: string }) => `must be ${named(type)}`,
  not_json_object: () => 'must be a JSON object',
  number_for_text: ({ type }: { type: string }) => `must be ${named(type)}: put it in double quotes`,
  text_for_list: ({ type }: { type: string }) => `must be ${named(type)}, also with one entry: put it in [ ]`,
  text_for_number: ({ type, text, number }: { type: string; text: string; number?: string }) =>
    `must be ${named(type)}, not the text "${text}": send ${number === undefined ? 'digits without quotes, with a point before decimals, such as 1499.50' : `${number} without quotes`}`,
  text_for_boolean: ({ type, text }: { type: string; text: string }) =>
    `must be ${named(type)}, not the text "${text}": send true or false without quotes`,
  text_for_object: ({ type, example }: { type: string; example: string }) =>
    `must be ${named(type)}, such as ${example}`,
  not_valid: ({ rule }: { rule: string }) => rule,

  empty: () => 'must not be empty',
  blank: () => 'must not be blank',
  too_short: ({ min }: { min: number }) => `must be at least ${min} characters`,
  too_long: ({ max }: { max: number }) => `must be at most ${max} characters`,
  wrong_length: ({ max }: { max: number }) => `must have 1 to ${max} characters`,
  wrong_length_or_nul: ({ max }: { max: number }) => `must have 1 to ${max} characters, none of them NUL`,
  too_small: ({ min }: { min: number }) => `must be at least ${min}`,
  too_large: ({ max }: { max: number }) => `must be at most ${max}`,
  not_whole_number: ({ min, max }: { min: number; max: number }) => `must be a whole number from ${min} to ${max}`,
  too_many_decimals: () => 'must have at most two decimals',
  too_few_entries: ({ min }: { min: number }) => `must have at least ${entries(min)}`,
  too_many_entries: ({ max }: { max: number }) => `must have at most ${entries(max)}`,
  too_few_fields: ({ min }: { min: number }) => `must NOT have fewer than ${min} properties`,
  too_many_bytes: ({ maxKb }: { maxKb: number }) => `must be at most ${maxKb} KB in total`,
  not_one_of: ({ allowed }: { allowed: string }) => `must be one of: ${allowed}`,
  not_some_of: ({ allowed }: { allowed: string }) => `must be some of ${allowed}`,
  not_the_value: ({ value }: { value: string }) => `must be ${value}`,
  wrong_form: ({ form }: { form: string }) => `must have the form ${form}`,
  wrong_format: ({ format }: { format: string }) => `must have the form of a ${format}`,
  wrong_pattern: ({ pattern }: { pattern: string }) => `must match the pattern ${pattern}`,
  not_text: () => 'must not contain NUL characters or unpaired surrogates',
  key_not_text: () => 'has a key that must not contain NUL characters or unpaired surrogates',
  entries_not_text: ({ count }: { count: number }) => `has ${count} entries that are not plain texts`,
  not_one_line: () =>
    'must be one line of text without control characters such as line feeds or tabs, and without unpaired surrogates',
  not_plain_letters: () => 'must have letters (A to Z), digits, _ and - only',
  no_letter_or_digit: () => 'must have letters or digits',
  not_slug: () => 'must be lower-case letters, digits and inner dashes, at most 64',
  dot_segment: () => "must not be . or .., which a path can't hold",
  not_header_text: () => 'must be printable ASCII without spaces at its ends, because it is sent as an HTTP header',

  not_https_url: ({ reason }: { reason: UrlFault }) => `must be an HTTPS URL: ${urlFaults[reason]}`,
  has_fragment: () => 'must not have a fragment (#): it is never sent',
  not_public: () => 'must be a public address',
  not_network: () => 'must be an address or a network such as 203.0.113.0/24',
  not_uuid: () => 'must be a UUID such as 0c3ad6ab-4d3c-4a3e-9a44-0d2f6f0b1c55',
  not_email: () => 'must be an email address',
  not_isbn: ({ unseen }: { unseen?: string }) =>
    `must be an ISBN-10 or ISBN-13 with a correct check digit${hidden(unseen)}`,
  not_language: ({ unseen }: { unseen?: string }) =>
    `must be a BCP 47 language code such as sv or en-GB; private (x-…) and old registered ones (i-…) are not supported${hidden(unseen)}`,
  unknown_language: () => 'names no language that is known; it is stored as it is',
  not_plate: ({ unseen }: { unseen?: string }) =>
    `must be a Swedish registration plate such as MLB 84A${hidden(unseen)}`,
  not_logo: ({ maxKb }: { maxKb: number }) => `must be a PNG, JPEG or WebP picture in Base64, of at most ${maxKb} KB`,
  repeated_image: ({ first }: { first: number }) => `repeats imageUrls.${first} and is ignored`,

  not_time: () => 'must be an ISO 8601 time such as 2026-11-21T12:00:00Z',
  not_calendar_time: () => 'must be a time of the calendar',
  not_future: () => 'must be a time to come',
  in_future: () => 'must not be in the future',
  too_old: ({ days }: { days: number }) => `must be at most ${days} days ago: events are kept that long`,
  wrong_duration: ({ maxDays }: { maxDays: number }) => `must be 1 to ${maxDays} days after listing.startsAt`,

  unknown_cursor: () => 'must be the nextCursor of an earlier answer',
  foreign_cursor: () => 'must be a nextCursor of this account',
  cursor_of_other_filters: () => 'belongs to other filters: they must stay the same from page to page',
  nothing_to_search: ({ max }: { max: number }) => `must have something to search for and at most ${max} characters`,
  no_word: ({ max }: { max: number }) => `must have a word to search for and at most ${max} characters`,
  too_many_words: ({ max }: { max: number }) => `must have at most ${max} words`,
  not_domain: () => 'must be a domain of GET /categories or one of its aliases',
  not_status_filter: () => 'must be a status (422), a class (4xx) or refused',
  not_user_ids: ({ max }: { max: number }) => `must be 1 to ${max} user ids`,

  same_market: () => 'must be the other market than fromMarket',
  not_category_number: () => 'must be a positive whole number without leading zeros',
  unknown_category: () => 'must be a known category slug',
  other_category: ({ category, lost }: { category: string; lost: string }) =>
    `is another category than the item's ${category}, which would empty ${lost}: leave it as it is, or replace the item`,
  not_above_price: ({ price }: { price: number }) => `must be above the price (${price} SEK)`,
  not_above_reserve: ({ reservePrice }: { reservePrice: number }) =>
    `must be above the reserve price (${reservePrice} SEK)`,
  not_below_reserve: ({ reservePrice }: { reservePrice: number }) =>
    `must be below listing.reservePrice (${reservePrice} SEK)`,
  not_below_buy_now: ({ buyNowPrice }: { buyNowPrice: number }) =>
    `must be below listing.buyNowPrice (${buyNowPrice} SEK)`,
  option_or_provider: () => 'give this or providerId, not both',
  needs_provider: () => 'is given with providerId',
  repeated_option: () => 'stands there more than once',
  unconfirmed_amount: ({ price }: { price: number }) =>
    `must be true, because the amount is ten times the price of the item (${price} SEK) or more`,

  repeated_id: ({ line }: { line: number }) => `is in line ${line} too: the last line of an id counts`,
  lookalike_id: ({ line }: { line?: number }) =>
    `looks like the id ${line === undefined ? 'of another item' : `in line ${line}`}, but is written with other characters: they are two items`,
  shortened_twice: ({ line }: { line?: number }) =>
    `is in ${line === undefined ? 'another row' : `line ${line}`} too, for another item: a spreadsheet has shortened both ids`,
  shortened: () => 'is a long number that a spreadsheet has shortened',
  too_many_shortened: ({ lines }: { lines: number }) =>
    `is a long number that a spreadsheet has shortened, such as 7.31E+12, in ${lines} lines: make the column text there, and save it anew`,
  control_characters: () => 'has control characters',
  unseen_characters: ({ unseen }: { unseen: string }) => `has characters that can't be seen (${unseen})`,
  only_blanks: () => 'has nothing but blanks',
  outer_blank: () => 'begins or ends with a blank',
  placeholder: ({ text }: { text: string }) => `is "${text}", which stands for a missing value`,
  wrong_encoding: ({ text }: { text: string }) => `has letters that were read in a wrong encoding: "${text}"`,
  formula: ({ text }: { text?: string }) =>
    `looks like a formula${text === undefined ? ' of a spreadsheet' : `: "${text}"`}`,
  other_account: () => 'is for another account: a snapshot is for one',
  line_without_item: ({ error }: { error: string }) => `can't be attributed to an item: ${error}`,
  unconfirmed: () => 'must be true for that',

  whole_kronor: ({ kronor }: { kronor: number }) =>
    `is sent to the marketplace as ${kronor} SEK: it takes whole kronor only, rounded half up`,
  reference_left_out: ({ max }: { max: number }) =>
    `the marketplace takes references of ${max} characters: the ad goes up without this one`,
  title_cut: ({ max, shown }: { max: number; shown: string }) =>
    `the marketplace takes ${max} characters: it shows "${shown}"`,
  description_cut: ({ max }: { max: number }) =>
    `the marketplace takes ${max} characters, markup counted: its text ends earlier`,
  not_connected: () => 'no marketplace account is connected: the item is published once one is',
  connection_expired: () =>
    'the marketplace token has expired: the item is published once the marketplace account is reconnected',
  given_up: ({ lastError }: { lastError?: string }) =>
    `publishing was given up${lastError === undefined ? '' : ` (${lastError})`}: POST …/publish tries again`,
  pending: () =>
    'the marketplace changes this on no running auction: it is kept for the next publication; POST …/publish?replaceRunning=true ends an auction without bids and puts it up anew',
  price_held: () => 'the auction has bids, so the price stays as it is; the marketplace refused this price before',
  reserve_kept: ({ reservePrice }: { reservePrice: number }) =>
    `the running auction keeps its reserve price of ${reservePrice} SEK, which can't be taken off, and takes no price of as much`,
  sold_since: ({ sold, told, left, counts }: { sold: number; told: number; left: number; counts: number }) =>
    `${sold} sold since ${told} was told, which left ${left}; from now on ${counts} counts`,

  too_few_visible: ({ min }: { min: number }) => `must be at least ${min} characters that can be seen`,
  too_few_different: ({ min }: { min: number }) => `must have at least ${min} different characters`,
  common_password: () => 'is one of the commonest passwords',
  password_is_email: () => 'must not be the email address or a part of it',
  same_password: () => 'must be another one than the old password',
  wrong_password: () => 'is not the password of this account',
  same_email: () => 'is the address of this account already',
  dead_link: () => 'is of a link that was used, is too old or never was',
  wrong_mode: ({ mode, sandbox }: { mode: string; sandbox: keyof typeof sandboxFaults }) =>
    `must be ${mode} here: ${sandboxFaults[sandbox]}`,
  key_used: () => 'was used before with another body or query',
  invited_twice: () => 'stands here twice',
  other_reseller: () => 'is another one by now',
};

type Sentences = typeof sentences;
export type FieldProblemCode = keyof Sentences;

/** What a problem of each code is made with. */
type Params = { readonly [Code in FieldProblemCode]: Parameters<Sentences[Code]> };

const says: { readonly [Code in FieldProblemCode]: (...params: Params[Code]) => string } = sentences;

export const fieldProblemCodes = Object.keys(sentences);

export const told = <Code extends FieldProblemCode>(code: Code, ...params: Params[Code]): Told => ({
  code,
  message: says[code](...params),
  params: params[0] ?? {},
});

export const problem = <Code extends FieldProblemCode>(
  field: string,
  code: Code,
  ...params: Params[Code]
): FieldProblem => ({ field, ...told(code, ...params) });

/** The warning about a value that is probably a mistake and stays as it is. */
export const keptAsSent = (doubt: FieldProblem): FieldProblem => ({
  ...doubt,
  message: `${doubt.message}; it is kept as sent`,
});
