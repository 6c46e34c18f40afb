import type { TestAccount } from '../../../test/support/api-world.ts';
import { anItemBody } from '../../../test/support/audit-steps.ts';
import { pour } from '../support/raw-call.ts';
import { words } from './hostile-values.ts';
import { asInput, type Plan } from './input.ts';

const kind = 'headers';

/** Headers that are too many, too long, or say what nobody should believe. */
export function headerPlans(account: TestAccount): Plan[] {
  const { apiKey, token } = account;
  const values: Readonly<Record<string, readonly string[]>> = {
    'x-api-key': [
      ...odd,
      apiKey.slice(0, -1),
      `${apiKey} `,
      `${apiKey}, ${apiKey}`,
      apiKey.toLowerCase(),
      '[object Object]',
    ],
    'X-Partner-Account': [...odd, '[]', '{"$ne":null}', '*'],
    Authorization: [
      ...odd,
      'Bearer',
      'Bearer  ',
      `Basic ${token}`,
      `Bearer ${token.slice(0, -2)}`,
      ...forgedTokens(token),
    ],
    'Idempotency-Key': [...odd, 'a b', 'x'.repeat(256), '\t'],
    'If-Match': [...odd, '*', '"', 'W/"a.1"', '"a.1", "a.2"', `"${'x'.repeat(5_000)}"`, '""'],
    'If-None-Match': [...odd, '*', '"a"'],
    'X-Request-Id': [...odd, 'x'.repeat(200), 'a/../b', '<script>'],
    'X-Forwarded-For': [...odd, '1.2.3.4', '::1, 127.0.0.1', 'unknown'],
    traceparent: [...odd, `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`, `00-${'4b'.repeat(16)}-00f067aa0ba902b7-01`],
    Accept: [...odd, 'text/html', 'image/*;q=0', ','.repeat(5_000)],
    'Accept-Language': [...odd, 'sv;q=9', 'x'.repeat(5_000), '*;q=0'],
    Range: ['bytes=0-', 'bytes=-1', `bytes=${'0-,'.repeat(3_000)}0-`],
    Origin: [...odd, 'null', 'https://evil.test'],
    'Content-Length': ['0'],
    Cookie: [...odd, ...cookies],
    'X-HTTP-Method-Override': ['DELETE'],
  };
  const calls = [
    { method: 'GET', path: '/integration/v1/items', headers: () => ({ 'x-api-key': apiKey }) },
    { method: 'GET', path: '/partner/orders', headers: () => ({ Authorization: `Bearer ${account.token}` }) },
    { method: 'POST', path: '/auth/refresh', headers: () => ({}) },
  ];
  const single = Object.entries(values).flatMap(([name, texts]) =>
    calls.flatMap(({ method, path, headers }) =>
      texts.map((text): Plan => ({
        kind,
        name: `${method} ${path} ${name}: ${text.slice(0, 40)}`,
        make: () => {
          const input = asInput({ method, path, headers: { ...headers(), [name]: text } });
          return { ...input, expected: { ...input.expected, mayClose: /[\0\r\n]/.test(text) } };
        },
      })),
    ),
  );
  return [...single, ...large(apiKey)];
}

const blank = ['', ' ', '\0', 'a\0b', 'å', '\u00ff\u00fe', 'a\tb'];
const odd: readonly string[] = [...blank, ...words("' %00 __proto__"), 'x'.repeat(4_000)];

const cookies = [
  ...[`refresh_token=${'x'.repeat(5_000)}`, 'refresh_token=a; refresh_token=b'],
  ...['='.repeat(3_000), ';'.repeat(3_000), '__proto__=1'],
];

/** Tokens that only a careless verifier would take. */
function forgedTokens(token: string): string[] {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [
    ...[{ alg: 'none' }, { alg: 'HS256', kid: '../../../dev/null' }, { alg: 'RS256', jku: 'https://evil.test' }].map(
      (forged) => `Bearer ${encode(forged)}.${claims}.${signature}`,
    ),
    ...[`Bearer ${head}.${encode({ sub: { $ne: null } })}.${signature}`, `Bearer ${head}.${claims}.`, 'Bearer ...'],
  ];
}

function large(apiKey: string): Plan[] {
  const path = '/integration/v1/items';
  const start = `GET ${path} HTTP/1.1\r\nHost: fuzz.test\r\nx-api-key: ${apiKey}\r\n`;
  const many = (count: number, line: (number: number) => string): Buffer =>
    Buffer.from(
      `${start}${Array.from({ length: count }, (_, number) => line(number)).join('')}Connection: close\r\n\r\n`,
    );
  const shapes: Readonly<Record<string, Buffer>> = {
    '10,000 headers': many(10_000, (number) => `X-${number}: y\r\n`),
    '10,000 times the same header': many(10_000, () => 'X: y\r\n'),
    '2,500 short headers': many(2_500, () => 'a:\r\n'),
    'a header of 1 MB': many(1, () => `X: ${'y'.repeat(1024 * 1024)}\r\n`),
    'a name of 1 MB': many(1, () => `${'y'.repeat(1024 * 1024)}: x\r\n`),
    '10,000 cookies': many(1, () => `Cookie: ${Array.from({ length: 10_000 }, (_, n) => `c${n}=v`).join('; ')}\r\n`),
    'headers just under the limit': many(1, () => `X: ${'y'.repeat(15_000)}\r\n`),
  };
  const expected = { method: 'GET', path, mayClose: true };
  const fixed = Object.entries(shapes).map(([name, wire]): Plan => ({ kind, name, make: () => ({ wire, expected }) }));
  const endless: Plan = {
    kind,
    name: 'headers without end',
    make: () => ({
      expected,
      wire: async (socket) => {
        socket.write(start);
        await pour(socket, Buffer.from('X-More: yes\r\n'.repeat(1_000)), 10_000);
      },
    }),
  };
  return [...fixed, endless];
}

const elsewhere = 'evil.test';

/** By these a caller says who it is and whom it has reached. No answer may repeat it, and no link lead there. */
export function forwardedPlans({ apiKey }: TestAccount): Plan[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    Host: [...odd, elsewhere, `${elsewhere}:99999`, `a@${elsewhere}`, `[::1]${elsewhere}`, `127.0.0.1, ${elsewhere}`],
    'X-Forwarded-Host': [elsewhere, `${elsewhere}, a`],
    'X-Forwarded-Proto': ['https', 'javascript', elsewhere],
    'X-Forwarded-Prefix': [`//${elsewhere}`],
    'X-Original-URL': ['/readyz', `https://${elsewhere}/`],
    Forwarded: [
      ...odd,
      `for="[::1]";host=${elsewhere};proto=https`,
      'for=_hidden, for=127.0.0.1;by=x',
      ';'.repeat(3_000),
    ],
    'X-Real-IP': [...odd, '127.0.0.1'],
    'X-Forwarded-For': [
      ...['127.0.0.1, '.repeat(1_000), ','.repeat(4_000), '1.2.3.4\t', elsewhere],
      ...words('[::1]:80 ::ffff:127.0.0.1 fe80::1%eth0 1.2.3.4:5 0x7f.1 127.1 999.1.1.1'),
      ...words('for=127.0.0.1 127.0.0.1; "127.0.0.1"'),
    ],
  };
  const paths = ['/', '/docs', '/dashboard', '/p/fuzz', '/healthz', '/integration/v1/items'];
  return Object.entries(values).flatMap(([name, texts]) =>
    paths.flatMap((path) =>
      texts.map((text): Plan => ({
        kind,
        name: `GET ${path} ${name}: ${text.slice(0, 40)}`,
        make: () => {
          const input = asInput({ method: 'GET', path, headers: { 'x-api-key': apiKey, [name]: text } });
          const isPage = !/^\/(?:healthz|integration)/.test(path);
          return {
            ...input,
            expected: { ...input.expected, isPage, mayClose: text.includes('\0') },
            after: async (answer) =>
              [...answer.headers.values(), answer.text].some((part) => part.includes(elsewhere))
                ? ['the answer repeats where it was told to be']
                : [],
          };
        },
      })),
    ),
  );
}

/** Names of a request, where they count: what has another form is refused, and nothing is done under it. */
export function idempotencyPlans({ apiKey }: TestAccount): Plan[] {
  const body = JSON.stringify({ items: [{ externalId: 'idempotent', ...anItemBody }] });
  const keys = [
    ...odd,
    'a b',
    'a, b',
    '\ta',
    'x'.repeat(255),
    'x'.repeat(256),
    '"a"',
    '[object Object]',
    '\x7f',
    '../..',
  ];
  return keys.flatMap((key) =>
    ['first', 'again'].map((time): Plan => ({
      kind,
      name: `POST /integration/v1/items/batch Idempotency-Key: ${JSON.stringify(key).slice(0, 40)}, ${time}`,
      isAlone: true,
      make: () => {
        const headers = { 'x-api-key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': key };
        const isKey = /^[!-~]{1,255}$/.test(key.trim());
        const input = asInput({ method: 'POST', path: '/integration/v1/items/batch', headers, body }, [
          isKey ? 200 : 400,
        ]);
        return { ...input, expected: { ...input.expected, mayClose: /[\0\x7f]/.test(key) } };
      },
    })),
  );
}
