import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { problem } from '../../features/rules/field-problems.ts';
import { clientVersion } from '../../client/user-agent.ts';
import { webhookSignatureHeaders } from '../../features/webhooks/signature.ts';
import { repositoryRoot } from '../rules/source-files.ts';
import { runProgram } from '../examples/support/run-program.ts';
import { present } from '../support/clock.ts';

// What a partner gets by `npm install @itembridge/client`: the tarball is packed, installed in an empty folder, and used from there.

const file = new URL('../../scripts/packages.mjs', import.meta.url).href;
const { packClient } = (await import(file)) as { packClient: (folder: string) => Promise<string> };

const folder = mkdtempSync(join(tmpdir(), 'itembridge-package-'));
const said: string[] = [];
/** Refuses everything, as the service does. */
const server = createServer((request, response) => {
  said.push(request.headers['user-agent'] ?? '');
  response.writeHead(422, { 'content-type': 'application/json', 'x-request-id': 'r-1' });
  const details = [problem('title', 'empty')];
  response.end(JSON.stringify({ error: 'Validation failed', code: 'VALIDATION_FAILED', details }));
});

const run = async (...command: [string, ...string[]]) => {
  const { code, output } = await runProgram(command, { stdin: Buffer.alloc(0), environment: environment() });
  return { code, output };
};
const secret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdA==';
const body = '{"eventId":"evt_1","eventType":"item.sold"}';
const environment = (): Record<string, string> => ({
  ITEMBRIDGE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ITEMBRIDGE_API_KEY: 'sk_live_test',
  SECRET: secret,
  BODY: body,
  HEADERS: JSON.stringify(webhookSignatureHeaders({ secret, id: 'evt_1', sentAt: present(), body: Buffer.from(body) })),
});

/** One program, with the import that the module system has. */
const story = (imports: string): string => `${imports}
async function main() {
  const { ITEMBRIDGE_URL: baseUrl = '', ITEMBRIDGE_API_KEY: apiKey, SECRET: secret = '', BODY: body = '', HEADERS = '' } = process.env;
  const client = createItembridgeClient({ baseUrl, apiKey });
  const event = verifyWebhook({ secret, headers: JSON.parse(HEADERS), body });
  try {
    await client.api.upsertItem({ path: { external_id: 'A-1' }, body: { title: '', price: 1, imageUrls: [] } });
  } catch (error) {
    if (!(error instanceof ItembridgeError)) throw error;
    console.log(event.eventId + ' ' + error.message);
  }
}
main();
`;
const expected = 'evt_1 422 VALIDATION_FAILED: title must not be empty (request r-1)';
const names = '{ createItembridgeClient, ItembridgeError, verifyWebhook }';

test.before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tarball = await packClient(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', tarball] as const;
  const { code, output } = await run('npm', ...install);
  if (code !== 0) throw new Error(output);
});
test.after.always(() => {
  server.close();
  server.closeAllConnections();
});

const programs: Readonly<Record<string, string>> = {
  'imported.mjs': story(`import ${names} from '@itembridge/client';`),
  'required.cjs': story(`const ${names} = require('@itembridge/client');`),
};
for (const [name, text] of Object.entries(programs))
  test(`the packed package runs ${name}, with errors that say what was wrong`, async (t) => {
    writeFileSync(join(folder, name), text);
    t.deepEqual(await run(process.execPath, join(folder, name)), { code: 0, output: expected });
    t.true(said.every((agent) => agent.startsWith(`itembridge-client/${clientVersion} (node/`)));
  });

test('its types hold in a strict project, imported and required', async (t) => {
  const typed = story(`import ${names} from '@itembridge/client';`);
  const wrong = typed.replace("title: '',", "titel: '',");
  const sources = { 'esm.mts': typed, 'cjs.cts': typed, 'wrong.mts': wrong };
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  const compiler = join(repositoryRoot, 'node_modules/typescript-native/bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(repositoryRoot, 'node_modules/@types')] as const;
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'] as const;
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    ...strict,
    ...types,
  ] as const;
  const compile = (...files: string[]) =>
    run(process.execPath, compiler, ...options, ...files.map((one) => join(folder, one)));
  t.deepEqual(await compile('esm.mts', 'cjs.cts'), { code: 0, output: '' });
  const { code, output } = await compile('wrong.mts');
  t.not(code, 0);
  t.regex(output, /titel/);
});

test('its command runs without the service, and has no command of an administrator', async (t) => {
  const command = join(folder, 'node_modules/.bin/itembridge');
  t.deepEqual(await run(command, '--version'), { code: 0, output: clientVersion });
  const { output } = await run(command, '--help');
  t.regex(output, /sync/);
  t.notRegex(output, /grant|ops/);
  t.regex((await run(command, 'items', 'get', 'A-1')).output, /title must not be empty/);
  t.true(said.some((agent) => agent.startsWith(`itembridge-cli/${clientVersion} itembridge-client/`)));
});
