import { request } from 'node:http';
import type { ApiWorld } from '../../support/api-world.ts';
import { undocumentedIn } from '../../support/documented-answer.ts';
import { wrongRequests, type Credentials, type WrongRequest } from './requests.ts';

export const pageFile = 'test/api/wrong-requests/answers.md';

/** Sends every wrong request, each to the same new account, and returns the page of what was answered. */
export async function freshPage(world: ApiWorld): Promise<string> {
  const { apiKey, token } = await world.account();
  const { body } = await world.call('POST', '/integration/api-keys/generate', { token });
  const { body: listed } = await world.call('GET', '/integration/api-keys', { token });
  const { id } = listed.keys.find(({ prefix }: { prefix: string }) => body.apiKey.startsWith(prefix));
  await world.call('DELETE', `/integration/api-keys/${id}`, { token });
  const credentials = { apiKey, token, revokedKey: body.apiKey };
  const rows: string[] = [];
  for (const wrong of wrongRequests)
    rows.push(rowOf(wrong, await send(world.url, wrong, credentials), rows.length + 1));
  return `${head}${rows.join('')}`;
}

const head = `# What is answered to wrong requests

${wrongRequests.length} requests as integrators send them by mistake, and what the service says. A PUT is one of
\`/integration/v1/items/A1\`, and shows what differs from a good item. \`npm run generate -- answers\` sends them and writes this page; a test compares it.

| | sent | answered |
|--:|---|---|
`;

interface Reply {
  readonly status: number;
  readonly allow: string | undefined;
  readonly text: string;
}

/** By node:http, which sends path and headers as they are. */
function send(url: string, wrong: WrongRequest, credentials: Credentials): Promise<Reply> {
  const { method, path, by, body, headers } = wrong;
  const own = {
    ...(by === 'key' && { 'x-api-key': credentials.apiKey }),
    ...(by === 'session' && { authorization: `Bearer ${credentials.token}` }),
  };
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { ...own, ...headers?.(credentials) } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          const answerHeaders = new Headers(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          const undocumented = undocumentedIn({ method, path, status, headers: answerHeaders, text });
          if (undocumented.length > 0) reject(new Error(`${wrong.sent}: ${undocumented.join('; ')}`));
          else resolve({ status, allow: response.headers.allow, text });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Answer {
  readonly error?: string;
  readonly message?: string;
  readonly code?: string;
  readonly details?: readonly Problem[];
  readonly warnings?: readonly Problem[];
  readonly results?: readonly Answer[];
  readonly errors?: readonly (Answer & { readonly line: number })[];
}

interface Problem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  readonly params: object;
}

function rowOf({ sent }: WrongRequest, { status, text }: Reply, number: number): string {
  const answer = JSON.parse(text) as Answer;
  const lines = [`${status} ${wordsOf(answer)}`, ...problemsOf(answer)];
  return `| ${number} | ${cell(sent)} | ${lines.map(cell).join('<br>')} |\n`;
}

const wordsOf = ({ error, message, code }: Answer): string =>
  [code ?? '', error ?? message ?? ''].filter((word) => word !== '').join(': ');

const problemsOf = ({ details = [], warnings = [], results = [], errors = [] }: Answer): string[] => [
  ...details.map((problem) => `– ${toldOf(problem)}`),
  ...warnings.map((problem) => `– warning: ${toldOf(problem)}`),
  ...results.flatMap((row, index) => [`row ${index}: ${wordsOf(row)}`, ...problemsOf(row)]),
  ...errors.flatMap((row) => [`line ${row.line}: ${wordsOf(row)}`, ...problemsOf(row)]),
];

const toldOf = ({ field, code, message, params }: Problem): string =>
  `${field} ${message} (${code}${Object.keys(params).length === 0 ? '' : ` ${JSON.stringify(params)}`})`;

/** One line, without what a table or a page would take for something of its own. */
const cell = (text: string): string =>
  text
    .replaceAll('\n', '⏎')
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')

    .replace(/x{40,}/g, 'x…');
