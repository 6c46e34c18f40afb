import { anItemBody } from '../../../test/support/audit-steps.ts';
import { callApi, type TestAccount } from '../../../test/support/api-world.ts';
import { words } from './hostile-values.ts';
import { requestBytes, type Plan } from './input.ts';

/** As they stand in the path, and what the caller means by them; undefined for what is no text. */
const ids: readonly (readonly [string, string | undefined])[] = [
  ...words(`a.b a..b - _ ~ a:b a@b a,b a'b a(b) a*b a!b a$b $ne a=b a&b a;b=c`).map(plain),
  ...words('__proto__ constructor null undefined true 0 -1 1e400 batch BATCH timeline').map(plain),
  plain('x'.repeat(255)),
  ...words(String.raw`. .. ... a/b / // a\b ../../etc/passwd`).map(encoded),
  ...['a b', ' ', '  a  '].map(encoded),
  ...words('a%2fb % a?b a#b a+b " <b> {} [] | ^').map(encoded),
  ...['`', 'é', 'e\u0301', 'ÅÄÖ', 'ß', 'ﬁ', '\u{1f4a9}', '\u202e', '\u200b', '\u2028', '\u{feff}a'].map(encoded),
  ...['\0', 'a\0b', '\n', 'a\r\nb', '\t', '\x7f', '\u{1f4a9}'.repeat(255), 'å'.repeat(255)].map(encoded),
  ...['x'.repeat(256), '\u{1f4a9}'.repeat(256), 'x'.repeat(5_000)].map(encoded),
  ...words('%ff %c0%ae %ed%a0%80 %zz % %e2%82').map((path) => [path, undefined] as const),
];

function plain(id: string): readonly [string, string] {
  return [id, id];
}
function encoded(id: string): readonly [string, string] {
  return [[...Buffer.from(id)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''), id];
}

/** What is no text, and what a path can't hold. */
const isRefused = (id: string | undefined): boolean => id === undefined || id === '.' || id === '..';

/** Whatever is taken as an external id is found under it again, and by nobody who means another. */
export function externalIdPlans(url: string, { apiKey }: TestAccount): Plan[] {
  return ids.map(([segment, id]) => ({
    kind: 'external ids',
    name: JSON.stringify(id ?? segment).slice(0, 60),
    make: () => {
      const path = `/integration/v1/items/${segment}`;
      const title = `Titel ${segment.slice(0, 100)}`;
      const headers = { 'x-api-key': apiKey, 'Content-Type': 'application/json' };
      return {
        wire: requestBytes({ method: 'PUT', path, headers, body: JSON.stringify({ ...anItemBody, title }) }),
        expected: { method: 'PUT', path, ...(isRefused(id) && { statuses: [400] }) },
        after: async ({ status }) => {
          if (status !== 202) return [];
          const read = await callApi(url, { method: 'GET', path: `${path}?view=full`, apiKey });
          const isSame = read.status === 200 && read.body.externalId === id && read.body.title === title;
          return isSame ? [] : [`was stored as ${JSON.stringify(read.body).slice(0, 200)}`];
        },
      };
    },
  }));
}
