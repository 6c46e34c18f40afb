import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { drawCases } from '../support/check-property.ts';
import { clientVersion } from '../../client/user-agent.ts';
import { webhookSignatureHeaders } from '../../features/webhooks/signature.ts';
import { runProgram } from '../examples/support/run-program.ts';
import { withApiWorld } from '../support/api-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { present } from '../support/clock.ts';
import { listening } from '../support/listening.ts';

// What a partner gets by `pip install itembridge`: the wheel is built, installed in an environment of its own, and used from there.

interface Built {
  readonly python?: string;
  readonly wheel?: string;
  readonly missing?: string;
}
const scripts = (name: string): Promise<unknown> => import(new URL(`../../scripts/${name}`, import.meta.url).href);
const { buildWheel } = (await scripts('packages.mjs')) as { buildWheel: (folder: string) => Promise<Built> };
const { writePythonModels } = (await scripts('python-models.mjs')) as {
  writePythonModels: (file: string) => Promise<{ missing?: string }>;
};

const world = withApiWorld(test);
const programs = 'test/packages/python';
const pins = 'test/generators/python.txt';
const folder = temporaryFolder('python-package');
const { python, wheel = '', missing } = await buildWheel(folder);
const own = join(folder, 'environment/bin/python');

async function run(command: readonly [string, ...string[]], environment: Record<string, string> = {}) {
  return runProgram(command, { stdin: Buffer.alloc(0), environment: { PYTHONDONTWRITEBYTECODE: '1', ...environment } });
}

if (python === undefined) console.log(`skipped: the Python package, because it ${missing ?? ''}`);
else {
  test.before(async () => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--constraint', pins] as const;
    for (const command of [
      [python, '-m', 'venv', join(folder, 'environment')],
      [own, ...pip, wheel, 'mypy'],
    ] as const) {
      const { code, output } = await run(command);
      if (code !== 0) throw new Error(output);
    }
  });

  test('the installed wheel does what an ERP needs, at a real service', async (t) => {
    const { apiKey, email, password } = await world().account();
    const secret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdA==';
    const body = '{"eventId":"evt_1","eventType":"item.sold","data":{}}';
    const signed = { secret, id: 'evt_1', sentAt: present(), body: Buffer.from(body) };
    const { code, output } = await run([own, `${programs}/story.py`], {
      ITEMBRIDGE_URL: world().url,
      ITEMBRIDGE_API_KEY: apiKey,
      EMAIL: email,
      PASSWORD: password,
      SECRET: secret,
      BODY: body,
      HEADERS: JSON.stringify(webhookSignatureHeaders(signed)),
    });
    t.is(code, 0, output);
    t.deepEqual(JSON.parse(output), {
      checked: 'Item would be created',
      created: 'Item created',
      price: 149_999.99,
      refused: '422 VALIDATION_FAILED: title must not be empty; price must be at least 1 (request ID)',
      code: [422, 'VALIDATION_FAILED'],
      conditional: 412,
      batch: [202],
      listed: ['A/1 å', 'B-1'],
      events: ['item.created', 'item.created'],
      bulk: [3, 0],
      categories: 18,
      endpoint: 'https://erp.example.se/hook',
      event: 'item.sold',
    });
  });

  test('what may be repeated is repeated, nothing else is, and a redirect does not take the key along', async (t) => {
    const asked: string[] = [];
    const agents = new Set<string>();
    const turns: Readonly<Record<string, readonly (number | 'drop')[]>> = {
      '/broken-off-then-503': ['drop', 503],
      '/503': [503],
      '/503-then-409': [503, 409],
      '/503-conditional': [503],
      '/broken-off': ['drop'],
      '/429': [429],
      '/429-long': [429],
      '/redirect': [302],
    };
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      const turn = turns[path]?.[asked.filter((one) => one === path).length] ?? 200;
      asked.push(path);
      agents.add(request.headers['user-agent'] ?? '');
      if (turn === 'drop') request.socket.destroy();
      else {
        const wait = path === '/429-long' ? '3600' : '1';
        response.writeHead(turn, { ...(turn !== 503 && { 'retry-after': wait }), location: '/elsewhere' }).end('{}');
      }
    });
    const url = await listening(t, server);
    const { output } = await run([own, `${programs}/retries.py`], { ITEMBRIDGE_URL: url });
    t.deepEqual(output.split('\n'), [
      'put ok',
      'post 503 None',
      'keyed ok',
      'conditional 503 None',
      'dropped unreachable',
      'limited ok',
      'long 429 3600',
      'redirect 302 1',
      "earlier [('title', 'is required', 'not_valid', {})]",
    ]);
    t.false(asked.includes('/elsewhere'));
    t.is([...agents].length, 1);
    t.regex([...agents].join(), new RegExp(`^itembridge-python/${clientVersion} \\(python/3\\.`));
  });

  test('every id that the service takes is asked for as it is; one that would change the path is refused before sending', async (t) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(JSON.stringify({ path: request.url }));
    });
    const url = await listening(t, server);
    const part = fc.oneof(
      fc.constantFrom('.', '..', '/', '\\', '%', '%2e', '%2F', '?', '#', ' ', '+', ';', '~', '\n', '\u00A0', 'å'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
    );
    const id = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const refused = ['', '.', '..', 'a\uD800', '%2e', '%2E.'];
    const ids = drawCases(id, 300).filter((one) => !refused.includes(one));
    const stdin = Buffer.from(JSON.stringify([...ids, ...refused]));
    const { code, output } = await runProgram([own, `${programs}/paths.py`], {
      stdin,
      environment: { ITEMBRIDGE_URL: url },
    });
    t.is(code, 0, output);
    const told = JSON.parse(output) as [{ path: string }, { path: string }, { path: string }, unknown][];
    for (const [index, one] of ids.entries()) {
      const [read, price, bulk] = told[index] ?? [];
      t.is(decodeURIComponent(read?.path.replace('/integration/v1/items/', '') ?? ''), one);
      t.is(price?.path, `${read?.path}/price`);
      t.is(decodeURIComponent(bulk?.path.replace('/integration/v1/bulk-syncs/', '') ?? ''), one);
    }
    const no = [400, 'BAD_REQUEST'];
    t.deepEqual(
      told.slice(ids.length, ids.length + 3) as unknown[],
      [1, 2, 3].map(() => [no, no, no, no]),
    );
    t.deepEqual(told.at(-3) as unknown, [no, no, no, null]);
    // As an id these are percent signs, as a path that was made by hand they are dot segments.
    for (const made of told.slice(-2)) t.deepEqual(made[3], no);
    t.is(asked.length, 3 * (ids.length + 2));
  });

  test('pip installs it from its folder', async (t) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'] as const;
    const { code, output } = await run([own, ...pip, '--target', join(folder, 'from-folder'), 'packages/python']);
    t.is(code, 0, output);
    t.deepEqual(readFileSync('packages/python/LICENSE', 'utf8'), readFileSync('LICENSE', 'utf8'));
  });

  test('its types are complete and strict: mypy takes the programs, and refuses a misspelt field', async (t) => {
    const mypy = ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy')] as const;
    for (const sources of [
      ['-p', 'itembridge'],
      ['story', 'retries', 'paths'].map((name) => `${programs}/${name}.py`),
    ]) {
      const { code, output } = await run([own, ...mypy, ...sources]);
      t.is(code, 0, output);
    }
    const wrong = (await run([own, ...mypy, `${programs}/mistyped.py`])).output;
    for (const name of ['titel', 'gone', 'prize']) t.regex(wrong, new RegExp(name));
  });

  test('its types are those that the interface document makes', async (t) => {
    const file = join(folder, 'models.py');
    await writePythonModels(file);
    const committed = readFileSync('packages/python/src/itembridge/models.py', 'utf8');
    t.is(committed, readFileSync(file, 'utf8'), 'run "npm run generate -- python" and read the difference');
  });
}

test('all packages have one version', (t) => {
  const versions = {
    service: /"version": "(.+)"/.exec(readFileSync('package.json', 'utf8'))?.[1],
    client: /"version": "(.+)"/.exec(readFileSync('packages/client/package.json', 'utf8'))?.[1],
    python: /^version = "(.+)"$/m.exec(readFileSync('packages/python/pyproject.toml', 'utf8'))?.[1],
    pythonModule: /"(.+)"\n$/.exec(readFileSync('packages/python/src/itembridge/version.py', 'utf8'))?.[1],
  };
  t.deepEqual([...new Set(Object.values(versions))], [clientVersion]);
});
