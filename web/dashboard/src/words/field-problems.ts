import type { Language } from '../i18n/languages.ts';
import { tellByRules, type Rule } from './tell-by-rules.ts';

/** Problems and warnings of fields. Each text follows the name of its field. The first rule that matches counts. */
const rules: readonly Rule[] = [
  [/^is required$/, 'saknas', 'is missing'],
  [
    /^is not a known field and is ignored; did you mean (.+)\?$/,
    'är inget känt fält och används inte; menade du $1?',
    'is not a known field and is ignored; did you mean $1?',
  ],
  [
    /^is not a known field; did you mean (.+)\?$/,
    'är inget känt fält; menade du $1?',
    'is not a known field; did you mean $1?',
  ],
  [
    /^is not a known field and is ignored$/,
    'är inget känt fält och används inte',
    'is not a known field and is ignored',
  ],
  [/^is not a known field$/, 'är inget känt fält', 'is not a known field'],
  [/^has (\d+) more unknown fields/, 'har $1 okända fält till', 'has $1 more unknown fields'],
  [/^has (\d+) more problems/, 'har $1 fel till', 'has $1 more problems'],
  [/^must not be (?:empty|blank)$/, 'får inte vara tomt', 'can’t be empty'],
  [
    /^must be at least (\d+) characters that can be seen$/,
    'ska ha minst $1 synliga tecken',
    'must have at least $1 visible characters',
  ],
  [/^must be at least (\d+) characters$/, 'ska ha minst $1 tecken', 'must have at least $1 characters'],
  [/^must be at most (\d+) characters$/, 'får ha högst $1 tecken', 'can have at most $1 characters'],
  [
    /^must have at least (\d+) different characters$/,
    'ska ha minst $1 olika tecken',
    'must have at least $1 different characters',
  ],
  [/^must have at least (\d+) entr/, 'ska ha minst $1 värden', 'must have at least $1 entries'],
  [/^must have at most (\d+) entr/, 'får ha högst $1 värden', 'can have at most $1 entries'],
  [/^must be at least (\S+)$/, 'ska vara minst $1', 'must be at least $1'],
  [/^must be at most (\d+) KB in total$/, 'får vara högst $1 kB totalt', 'can be at most $1 KB in total'],
  [/^must be at most (\S+)$/, 'får vara högst $1', 'can be at most $1'],
  [
    /^must be a whole number from (\d+) to (\d+)$/,
    'ska vara ett heltal från $1 till $2',
    'must be a whole number from $1 to $2',
  ],
  [/^must have at most two decimals$/, 'får ha högst två decimaler', 'can have at most two decimals'],
  [
    /^must be (?:a number|an integer|a number or null|an integer or null), not the text "(.*)"/,
    'ska vara ett tal, inte texten ”$1”',
    'must be a number, not the text “$1”',
  ],
  [
    /^must be true or false(?: or null)?, not the text "(.*)"/,
    'ska vara sant eller falskt, inte texten ”$1”',
    'must be true or false, not the text “$1”',
  ],
  [
    /^must be a PNG, JPEG or WebP picture in Base64, of at most (\d+) KB$/,
    'ska vara en bild i PNG, JPEG eller WebP, högst $1 kB',
    'must be a PNG, JPEG or WebP picture, at most $1 KB',
  ],
  [/^must be an integer/, 'ska vara ett heltal', 'must be a whole number'],
  [/^must be a number/, 'ska vara ett tal', 'must be a number'],
  [
    /^must be true, because the amount is ten times the price of the item \((\S+) SEK\) or more$/,
    'måste bekräftas: beloppet är minst tio gånger artikelns pris ($1 kr)',
    'has to be confirmed: the amount is at least ten times the price of the item (SEK $1)',
  ],
  [/^must be true or false/, 'ska vara sant eller falskt', 'must be true or false'],
  [/^must be a string/, 'ska vara text', 'must be text'],
  [/^must be an array/, 'ska vara en lista', 'must be a list'],
  [/^must be (?:an object|a JSON object)/, 'ska vara ett JSON-objekt', 'must be a JSON object'],
  [/^must be one of: (.*)$/, 'ska vara något av: $1', 'must be one of: $1'],
  [
    /^must be one line of text/,
    'ska vara en enda rad text utan styrtecken',
    'must be a single line of text without control characters',
  ],
  [/^must not be \. or \.\./, 'får inte vara . eller ..', 'can’t be . or ..'],
  [/^must not contain NUL/, 'innehåller tecken som inte går att spara', 'contains characters that can’t be stored'],
  [
    /^must be an HTTPS URL: it begins with http:\/\/$/,
    'ska börja med https://, inte http://',
    'must start with https://, not http://',
  ],
  [/^must be an HTTPS URL: it does not begin with https:\/\/$/, 'ska börja med https://', 'must start with https://'],
  [
    /: it has (.+), which can't be seen$/,
    'innehåller tecken som inte syns: $1',
    'contains characters that can’t be seen: $1',
  ],
  [
    /^must be an HTTPS URL: it has several addresses/,
    'innehåller flera adresser: skriv var och en för sig',
    'contains several addresses: give each on its own',
  ],
  [
    /^must be an HTTPS URL: it has a space: write %20$/,
    'innehåller ett mellanslag: skriv %20',
    'contains a space: write %20',
  ],
  [
    /^must be an HTTPS URL: it has a backslash: write \/$/,
    'innehåller ett omvänt snedstreck: skriv /',
    'contains a backslash: write /',
  ],
  [
    /^must be an HTTPS URL: it must not hold a user name/,
    'får inte innehålla användarnamn eller lösenord',
    'can’t contain a user name or password',
  ],
  [/^must be an HTTPS URL/, 'ska vara en giltig https-adress', 'must be a valid https URL'],
  [
    /^must be a public address$/,
    'ska vara en adress som går att nå från internet',
    'must be reachable from the internet',
  ],
  [/^must not have a fragment/, 'får inte innehålla #', 'can’t contain #'],
  [/^must be an ISBN/, 'ska vara ett giltigt ISBN', 'must be a valid ISBN'],
  [
    /^must be a BCP 47 language code/,
    'ska vara en språkkod, till exempel sv eller en-GB',
    'must be a language code such as sv or en-GB',
  ],
  [
    /^must be a Swedish registration plate/,
    'ska vara ett svenskt registreringsnummer, till exempel MLB 84A',
    'must be a Swedish registration number such as MLB 84A',
  ],
  [
    /^must be an ISO 8601 time/,
    'ska vara en tidpunkt, till exempel 2026-11-21T12:00:00Z',
    'must be a time such as 2026-11-21T12:00:00Z',
  ],
  [/^must be a time to come$/, 'ska ligga i framtiden', 'must be in the future'],
  [/^must be an email address$/, 'ska vara en e-postadress', 'must be an email address'],
  [
    /^must be an address or a network such as (.*)$/,
    'ska vara en IP-adress eller ett nät, till exempel $1',
    'must be an IP address or a network such as $1',
  ],
  [/^must be a UUID/, 'ska vara ett UUID', 'must be a UUID'],
  [
    /^must be lower-case letters, digits and inner dashes/,
    'får bara ha små bokstäver, siffror och bindestreck',
    'can only have lowercase letters, digits and hyphens',
  ],
  [
    /^must have letters \(A to Z\), digits, _ and - only$/,
    'får bara ha bokstäverna A–Z, siffror, _ och -',
    'can only have the letters A–Z, digits, _ and -',
  ],
  [/^must be (SEK)$/, 'ska vara $1', 'must be $1'],
  [/^must have the form (\S+)$/, 'ska ha formen $1', 'must have the form $1'],
  [/^must be a nextCursor/, 'gäller inte längre: börja om från början', 'is no longer valid: start over'],
  [
    /^(?:must be the nextCursor|belongs to other filters)/,
    'gäller inte längre: börja om från början',
    'is no longer valid: start over',
  ],
  [
    /^must be sent under one name only, not as (\S+) and (\S+)/,
    'ska skickas under ett namn, inte både $1 och $2',
    'must be sent under one name, not as both $1 and $2',
  ],
  [/^must be sk_/, 'går inte att välja här', 'can’t be chosen here'],
  [/^must be another one than the old password$/, 'ska vara ett annat än det gamla', 'must differ from the old one'],
  [
    /^must not be the email address or a part of it$/,
    'får inte vara e-postadressen eller en del av den',
    'can’t be the email address or part of it',
  ],
  [
    /^is one of the commonest passwords$/,
    'är ett av de vanligaste lösenorden: välj ett annat',
    'is one of the most common passwords: choose another',
  ],
  [/^is not the password of this account$/, 'stämmer inte', 'is wrong'],
  [/^is the address of this account already$/, 'är redan kontots adress', 'is already this account’s address'],
  [
    /^is of a link that was used/,
    'kommer från en länk som har använts eller gått ut',
    'comes from a link that has been used or has expired',
  ],
  [/^is another one by now$/, 'har ändrats', 'has changed'],
  [/^is not a parameter of this path$/, 'är ingen känd parameter', 'is not a known parameter'],
  [
    /^was used before with another body or query$/,
    'har redan använts för något annat',
    'has already been used for something else',
  ],
  [
    /^repeats imageUrls\.(\d+) and is ignored$/,
    'är samma bild som imageUrls.$1 och används inte',
    'is the same image as imageUrls.$1 and is ignored',
  ],
  [
    /^(?:stands there more than once|has a name more than once): the last one counts$/,
    'finns mer än en gång; den sista gäller',
    'occurs more than once; the last one counts',
  ],
  [/^stands there more than once$/, 'finns mer än en gång', 'occurs more than once'],
  [
    /^names no language that is known/,
    'är inget känt språk; det sparas ändå',
    'is not a known language; it is saved anyway',
  ],
  [
    /^has (\d+) entries that are not plain texts$/,
    'har $1 värden som inte är ren text',
    'has $1 entries that are not plain text',
  ],
  [/^has a key that (.*)$/, 'har ett ogiltigt namn', 'has a name that isn’t valid'],
  [
    /^is sent to the marketplace as (\d+) SEK/,
    'blir $1 kr på marknadsplatsen, som bara har hela kronor',
    'becomes SEK $1 on the marketplace, which uses whole kronor only',
  ],
  [
    /^is "(.*)", which stands for a missing value/,
    'är ”$1”, som betyder att ett värde saknas; det sparas ändå',
    'is “$1”, which stands for a missing value; it is saved anyway',
  ],
  [
    /^has letters that were read in a wrong encoding: "(.*)"/,
    'har bokstäver som lästs med fel teckenkodning, ”$1”; det sparas ändå',
    'has letters read in the wrong encoding, “$1”; it is saved anyway',
  ],
  [
    /^looks like a formula(?:: "(.*)"| of)/,
    'ser ut som en formel från ett kalkylprogram; det sparas ändå',
    'looks like a spreadsheet formula; it is saved anyway',
  ],
  [
    /^is a long number that a spreadsheet has shortened, such as (.+), in (\d+) lines/,
    'är på $2 rader ett långt tal som ett kalkylprogram har förkortat: gör om kolumnen till text där och spara filen igen',
    'is a long number that a spreadsheet has shortened in $2 lines: make the column text there and save the file again',
  ],
  [
    /^is a long number that a spreadsheet has shortened/,
    'är ett långt tal som ett kalkylprogram har förkortat; det sparas ändå',
    'is a long number that a spreadsheet has shortened; it is saved anyway',
  ],
  [
    /^is in (?:line (\d+)|another row) too, for another item/,
    'finns på flera rader för olika artiklar: ett kalkylprogram har förkortat deras id',
    'is on several lines for different items: a spreadsheet has shortened their ids',
  ],
  [
    /^has characters that can't be seen \((.*)\)/,
    'har tecken som inte syns ($1); det sparas ändå',
    'has characters that can’t be seen ($1); it is saved anyway',
  ],
  [
    /^looks like the id (?:in line (\d+)|of another item)/,
    'ser ut som ett annat artikel-id men är skrivet med andra tecken: det blir två artiklar',
    'looks like another item id but is written with other characters: they become two items',
  ],
  [
    /^is another category than the item's (\S+), which would empty (.*): leave/,
    'är en annan kategori än artikelns ($1), och $2 skulle tömmas',
    'is another category than the item’s ($1), and $2 would be emptied',
  ],
  [/; it is kept as sent$/, 'ser ovanligt ut; det sparas som det skickades', 'looks unusual; it is saved as sent'],
  [
    /^publishing was given up/,
    'Publiceringen har misslyckats. Välj Publicera igen för ett nytt försök',
    'Publishing has failed. Choose Publish again to retry',
  ],
  [
    /^the auction keeps its pictures until it is put up again$/,
    'Auktionen behåller sina bilder tills den läggs upp igen',
    'The auction keeps its images until it is relisted',
  ],
  [
    /^the auction has bids, so the price stays/,
    'Auktionen har bud, så priset ändras inte',
    'The auction has bids, so the price doesn’t change',
  ],
  [
    /^the auction has bids, so the marketplace changes none/,
    'Auktionen har bud, så villkoren gäller från nästa auktion',
    'The auction has bids, so the terms apply from the next auction',
  ],
  [
    /^the running auction keeps its time/,
    'Den pågående auktionen behåller sin tid; det här gäller från nästa',
    'The running auction keeps its times; this applies from the next one',
  ],
  [
    /^the marketplace takes no reserve price off/,
    'Reservationspriset kan inte tas bort från en pågående auktion; det här gäller från nästa',
    'The reserve price can’t be removed from a running auction; this applies from the next one',
  ],
  [/^can’t be given with (\w+)$/, 'kan inte anges tillsammans med $1', 'can’t be combined with $1'],
  [/^must be true for that$/, 'måste bekräftas', 'must be confirmed'],
  [/^must be 1 to (\d+) days after/, 'ska vara 1–$1 dagar efter starten', 'must be 1–$1 days after the start'],
];

const unknown: Readonly<Record<Language, string>> = { sv: 'är inte giltigt', en: 'is not valid' };

/** The problem of a field in the page's language; an unknown message becomes "not valid". */
export const tellFieldProblem = (message: string, language: Language): string =>
  tellByRules(rules, message, language) ?? unknown[language];

/** Whether the message has a sentence of its own. */
export const isKnownFieldProblem = (message: string): boolean => tellByRules(rules, message, 'en') !== undefined;
