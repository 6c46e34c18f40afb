import { routes } from '../../../api/routes.ts';
import type { Route } from '../../../api/http/route.ts';
import type { TestAccount } from '../../../test/support/api-world.ts';
import { words } from './hostile-values.ts';
import { asInput, type Plan } from './input.ts';

/** Paths and queries; what they name need not be there. */
export function pathPlans(account: TestAccount): Plan[] {
  return [...rawTargets(account), ...parameters(account), ...queries(account)];
}

function credentialsOf(
  { credential }: Pick<Route, 'credential'>,
  { token, apiKey }: TestAccount,
): Record<string, string> {
  if (credential === 'none') return {};
  return credential === 'jwt' ? { Authorization: `Bearer ${token}` } : { 'x-api-key': apiKey };
}

/** Appended to a path, or put where it has a parameter. */
const hostileSegments: readonly string[] = [
  ...words(String.raw`
    % %z %zz %u0041 %2 %00 %0a %0d%0aX:%20y %c0%ae%c0%ae %ff %ed%a0%80 %f4%90%80%80
    . .. %2e%2e ..%2f..%2f..%2fetc%2fpasswd ..%5c..%5c ... %2f %252f ;a=b a;b * ~ '
    $ne [object%20Object] __proto__ constructor {id} :id 0 -1 null undefined NaN 1e400
    %E2%80%AE %F0%9F%92%A9 e%CC%81 %C3%A9 a%20b + %2B`),
  ...[255, 256, 8_000].map((length) => 'x'.repeat(length)),
  ...['%F0%9F%92%A9'.repeat(255), '%'.repeat(3_000)],
  ...words(String.raw`00000000-0000-4000-8000-000000000000 <script> " \ |`),
];

/** Served as pages, whose errors are pages too. */
const isPage = (path: string): boolean =>
  /^\/(p(\/|$|\?)|dashboard|docs|$|\?)/.test(path) && !/\/connect\/?(\?|$)/.test(path);

function parameters(account: TestAccount): Plan[] {
  return routes
    .filter(({ method, path, request }) => path.includes('{') && (method === 'get' || request === undefined))
    .flatMap((route) =>
      hostileSegments.map((segment): Plan => {
        const path = route.path.replaceAll(/\{\w+\}/g, segment);
        const method = route.method.toUpperCase();
        return {
          kind: 'paths',
          name: `${method} ${route.path} ${segment.slice(0, 30)}`,
          make: () => asRefusable({ method, path, headers: credentialsOf(route, account) }),
        };
      }),
    );
}

/** Characters that no target may have are refused by the HTTP server, or cut it short. */
function asRefusable(request: { method: string; path: string; headers: Record<string, string> }) {
  const input = asInput(request);
  return {
    ...input,
    expected: { ...input.expected, mayClose: /[\s"<>\\|]/.test(request.path), isPage: isPage(request.path) },
  };
}

function rawTargets({ apiKey }: TestAccount): Plan[] {
  const targets = [
    ...words(`
      / // ///integration/v1/items /./healthz /../healthz /healthz/ /healthz// /HEALTHZ /healthz%20
      /healthz;x /healthz#fragment /healthz? /? /%2e%2e/%2e%2e/etc/passwd /images/..%2f..%2f..%2fetc%2fpasswd/a/b
      /images/../../../etc/passwd /images/a/b/..%2f..%2fpackage.json
      /dashboard/../../package.json /dashboard/assets/..%2f..%2f..%2fpackage.json /dashboard/%2e%2e/%2e%2e/package.json
      /docs/../package.json /openapi.json /openapi.json/.. /openapi-without-webhooks.json /.env /.git/config
      /p/assets/..%2f..%2fpackage.json /p/a/join /p/%00`),
    `/p/${'x'.repeat(5_000)}`,
    ...words('/p/assets/%ff /dashboard/%ff /dashboard/assets/%00 /metrics /readyz /admin/faults'),
    ...[`/${'a/'.repeat(4_000)}`, `/${'x'.repeat(15_000)}`, `/${'x'.repeat(20_000)}`],
    ...[`/healthz?${'x'.repeat(14_000)}`, `/healthz?${'x'.repeat(1024 * 1024)}`],
    `/integration/v1/items/${'%41'.repeat(4_000)}`,
    ...words('/integration/v1/items//timeline /integration/v1/items/%2Ftimeline /integration/v1/items/batch'),
  ];
  return targets.map((path) => ({
    kind: 'paths',
    name: path.slice(0, 60),
    make: () => asRefusable({ method: 'GET', path, headers: { 'x-api-key': apiKey } }),
  }));
}

const hostileQueryValues: readonly string[] = [
  '',
  ...words(`
    % %zz %00 %ff %ed%a0%80 -1 0 1e400 NaN 99999999999999999999 1.5 true null undefined
    __proto__ $where %7B%22%24ne%22%3A1%7D 2026-13-45 2026-02-30T00:00:00Z 0000-01-01 %2B275760-09-13T00:00:00.001Z
    (%5B .* %22 %5C - %22a a%20-a`),
  ...['x'.repeat(8_000), '%F0%9F%92%A9'.repeat(500)],
  ...words('%E2%80%AE a%0ab +'),
];

function queries(account: TestAccount): Plan[] {
  const calls = routes.filter(({ method }) => method === 'get');
  return calls.flatMap((route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, 'a');
    const one = (name: string, query: string): Plan => ({
      kind: 'queries',
      name: `GET ${route.path} ${name}`,
      make: () => asRefusable({ method: 'GET', path: `${path}?${query}`, headers: credentialsOf(route, account) }),
    });
    return [
      ...Object.keys(route.query ?? {}).flatMap((name) =>
        hostileQueryValues.map((value) => one(`${name}=${value.slice(0, 30)}`, `${name}=${value}`)),
      ),
      ...Object.keys(route.query ?? {}).flatMap((name) => [
        one(`${name} twice`, `${name}=a&${name}=b`),
        one(`${name} as object`, `${name}[$ne]=1`),
        one(`${name} as list`, `${name}[]=1`),
      ]),
      one('odd names', '__proto__=1&constructor=2&toString=3&=4&a.b=5&%00=6&[]=7'),
      one('1,500 parameters', Array.from({ length: 1_500 }, (_, number) => `p${number}=1`).join('&')),
      one('1,500 times the same', 'limit=1&'.repeat(1_500)),
      one('ampersands', '&'.repeat(10_000)),
    ];
  });
}

/** Of the packages whose files are served, what is no part of a page. */
const files = words(`
  package.json README.md LICENSE NOTICE index.js assets/scalar.js assets/..%2findex.html guides/..%2findex
  oauth2-redirect.html PACKAGE.JSON ./package.json /package.json package.json/ %70ackage.json
  index.html/../package.json ..%2fpackage.json package.json%00.css .package-lock.json`);

export const servedFilePlans = (): Plan[] =>
  files.map((file) => ({
    kind: 'paths',
    name: `/docs/${file}`,
    make: () => {
      const input = asRefusable({ method: 'GET', path: `/docs/${file}`, headers: {} });
      return { ...input, expected: { ...input.expected, statuses: [400, 404] } };
    },
  }));
