import { gzipSync } from 'node:zlib';
import { formNames } from '../../../api/public-page/page-call.ts';
import { requestBytes, type Plan } from './input.ts';

type Body = readonly [name: string, body: string | Buffer, headers?: Readonly<Record<string, string>>];

const boundary = 'x-fuzz';
const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="email"\r\n\r\na@b.se\r\n--${boundary}--\r\n`;

/** As browsers never send them. */
const bodies: readonly Body[] = [
  ['nothing', ''],
  ['a right form', 'email=a%40b.se&password=correct+horse+battery&name=Fuzz&reseller=a&token=t'],
  ['fields that are there twice', 'email=a%40b.se&email=c%40d.se&password=x&password=y'],
  ['broken percents', 'email=%&password=%zz&name=%u0041&token=%e2%82'],
  ['bytes that are no UTF-8', Buffer.from([0x65, 0x6d, 0x61, 0x69, 0x6c, 0x3d, 0xff, 0xfe, 0xc0, 0xaf])],
  ['NUL and lone surrogates', 'email=a%00b&password=%ed%a0%80&name=%00'],
  ['names of prototypes', '__proto__=1&constructor=2&__proto__[admin]=true&email[toString]=x'],
  ['brackets and operators', 'email[$ne]=&password[$gt]=&name[]=a&name[]=b'],
  ['10,000 fields', Array.from({ length: 10_000 }, (_, n) => `f${n}=x`).join('&')],
  ['10,000 times the same field', 'email=a&'.repeat(10_000)],
  ['a value of 900 KB', `email=${'x'.repeat(900_000)}`],
  ['a name of 900 KB', `${'x'.repeat(900_000)}=1`],
  ['2 MB', `password=${'å'.repeat(1_000_000)}`],
  ['nothing but separators', '&=&=&;;&=='.repeat(1_000)],
  ['a byte order mark', '\ufeffemail=a%40b.se&password=x'],
  ['packed', gzipSync('email=a%40b.se&password=x'), { 'Content-Encoding': 'gzip' }],
  ['a megabyte, packed to one kilobyte', gzipSync(`email=${'x'.repeat(1_000_000)}`), { 'Content-Encoding': 'gzip' }],
  ['said to be packed', 'email=a%40b.se&password=x', { 'Content-Encoding': 'gzip' }],
  ['another character set', 'email=a', { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16le' }],
  ['several parts', multipart, { 'Content-Type': `multipart/form-data; boundary=${boundary}` }],
  ['several parts without their boundary', multipart, { 'Content-Type': 'multipart/form-data' }],
  ['JSON', '{"email":"a@b.se","password":"x"}', { 'Content-Type': 'application/json' }],
  ['text', 'email=a', { 'Content-Type': 'text/plain' }],
];

/** What the forms of the public page are sent, from the page's own origin, so that their bodies are read. */
export const formPlans = (publicUrl: string): Plan[] =>
  formNames.flatMap((form) =>
    bodies.map(([name, body, headers]): Plan => {
      const path = `/p/fuzz/${form}`;
      const own = { Origin: publicUrl, 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
      return {
        kind: 'forms',
        name: `${form}: ${name}`,
        make: () => ({
          wire: requestBytes({ method: 'POST', path, headers: own, body }),
          // A body that is too large may end the connection before all of it was read.
          expected: { method: 'POST', path, isPage: true, mayClose: body.length > 1_000_000 },
        }),
      };
    }),
  );

/** Right forms that no page of ours has sent. */
export const foreignFormPlans = (publicUrl: string): Plan[] => {
  const senders: readonly Readonly<Record<string, string>>[] = [
    ...[{}, { Origin: 'null' }, { Origin: 'https://evil.test' }, { Origin: `${publicUrl}.evil.test` }, { Origin: '' }],
    ...[
      { Origin: `${publicUrl}, https://evil.test` },
      { Origin: publicUrl.toUpperCase() },
      { Origin: `${publicUrl}/` },
    ],
    ...[
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'same-origin, cross-site' },
    ],
    ...[
      { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'https://evil.test', Referer: `${publicUrl}/p/fuzz` },
    ],
    ...[{ Referer: `https://evil.test/${publicUrl}/p/fuzz` }, { Referer: publicUrl.replace('//', '//a@evil.test/') }],
  ];
  const body = 'email=a%40b.se&password=correct+horse+battery&name=Fuzz';
  return formNames.flatMap((form) =>
    senders.map((sender): Plan => {
      const path = `/p/fuzz/${form}`;
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...sender };
      return {
        kind: 'forms',
        name: `${form}: from ${JSON.stringify(sender)}`,
        make: () => ({
          wire: requestBytes({ method: 'POST', path, headers, body }),
          expected: { method: 'POST', path, isPage: true, statuses: [403] },
        }),
      };
    }),
  );
};
