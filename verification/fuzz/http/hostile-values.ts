import { raw, type JsonText } from './json-text.ts';

/** The words of a text: a list of odd ones is read best as lines. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** JSON texts of numbers that some parser, some float or some database gets wrong. */
export const hostileNumbers: readonly string[] = [
  ...words(`
    1e400 -1e400 1e-400 -0 0 -1 0.1 1.005 0.30000000000000004 100.001
    9007199254740991 9007199254740993 -9007199254740993 9223372036854775807 9223372036854775808
    18446744073709551616 2147483648 1.7976931348623157e308 5e-324 1E+2 1e2 100.00`),
  ...['9'.repeat(400), `0.${'3'.repeat(400)}`, `1${'0'.repeat(308)}`, `1e${'9'.repeat(100)}`],
];

/** Not JSON: each must be refused wherever it stands. */
export const brokenNumbers: readonly string[] = words(
  'NaN Infinity -Infinity 01 +1 .5 1. 0x10 1_000 1,5 --1 1e undefined 10n',
);

/** Texts, as JSON writes them. */
export const hostileTexts: readonly string[] = [
  ...['" "', '"ﬁ ﬀ ℻"', '"{{7*7}}${7*7}"'],
  ...words(String.raw`
    "" "\u0000" "a\u0000b" "\ud800" "\udc00\ud800" "\u202eexe.gpj" "a\u200bb\u2060" "𠜎𠜱𝄞" "\u2028\u2029\u0085" "İıſK"
    "<script>alert(1)</script>" "../../../etc/passwd" "$ne" "%00%n%s%x" "javascript:alert(1)"
    "file:///etc/passwd" "https://127.0.0.1@example.se/" "https://[::ffff:127.0.0.1]/" "data:image/png;base64,AAAA"
    "2026-13-45T99:99:99Z" "1970-01-01" "true" "null" "0"`),
  ...[String.raw`"\r\nSet-Cookie: a=b"`, '"\u{1f469}\u200d\u{1f469}\u200d\u{1f466}"', '"e\u0301 é"', `"' OR 1=1 --"`],
  ...['"\u{feff}bom"', '"\u{10ffff}\ufffe\uffff"', `"${'Z\u0351\u0352\u0353'.repeat(200)}"`, '"[object Object]"'],
  ...[`"https://${'a'.repeat(3_000)}.se/"`, `"${'x'.repeat(255)}"`, `"${'x'.repeat(256)}"`, `"${'å'.repeat(100_000)}"`],
];

const deep = (open: string, close: string, levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;

export const nested: Readonly<Record<string, string>> = {
  '10,000 arrays': deep('[', ']', 10_000),
  '10,000 objects': deep('{"a":', '}', 10_000),
  '65 arrays': deep('[', ']', 65),
  '100,000 arrays': deep('[', ']', 100_000),
  '520,000 arrays': deep('[', ']', 520_000),
  '10,000 arrays that are never closed': '['.repeat(10_000),
  '10,000 closing brackets': ']'.repeat(10_000),
  '5,000 objects in arrays': deep('[{"domain":', '}]', 5_000),
};

/** Names that objects have already, that queries of the database mean something by, or that are no name. */
export const hostileKeys: readonly string[] = [
  ...words(`
    __proto__ constructor prototype toString hasOwnProperty __defineGetter__ valueOf then toJSON
    $where $ne $gt $set $ . a.b domain.domain _id __v length 0 -1`),
  ...['', ' ', '\0', 'a\0b', '\u202e', 'x'.repeat(10_000), 'é', 'e\u0301', '\ud800'],
];

export const hostileParts: readonly JsonText[] = [
  ...words('null true false [] {} [[]] [null] {"$gt":""} {"$where":"1"} {"__proto__":{"isAdmin":true}}'),
  ...['{"length":1000000000}', '{"toString":1}', `[${'0,'.repeat(2_000)}0]`, `[${'{},'.repeat(501)}{}]`],
].map(raw);
