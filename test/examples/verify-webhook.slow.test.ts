import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { UntrustedDelivery, verifyWebhook } from '../../examples/verify-webhook/verify.ts';
import { newWebhookSecret, webhookSignatureHeaders } from '../../features/webhooks/signature.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilReceived, withWorld, type World } from '../support/world.ts';
import { firstThatRuns, runProgram, type ProgramResult } from './support/run-program.ts';

// The examples of docs/reference/webhooks.md and the off-the-shelf libraries for Standard Webhooks, on a delivery as the product sent it to a receiver.

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly secret: string;
}

let world: World;
let delivery: Delivery;
withWorld(test, async (started) => {
  world = started;
  const account = await world.account();
  await account.push('Räksmörgås 1', { title: 'Åäö 🚗' });
  const [webhook] = await untilReceived(account, 'item.created');
  if (webhook === undefined) throw new Error('nothing was delivered');
  delivery = { headers: webhook.headers, body: Buffer.from(webhook.rawBase64, 'base64'), secret: account.secret };
});

/** Signed like the delivery, so many milliseconds from now. */
function signedAt({ headers, body, secret }: Delivery, aheadMs: number): Delivery {
  const signed = webhookSignatureHeaders({ secret, id: headers['webhook-id'] ?? '', sentAt: present(aheadMs), body });
  const lower = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: { ...headers, ...Object.fromEntries(lower) }, body, secret };
}
const without = ({ headers, ...rest }: Delivery, name: string): Delivery => {
  const { [name]: _left, ...others } = headers;
  return { ...rest, headers: others };
};
const tampered = ({ body, ...rest }: Delivery): Delivery => ({
  ...rest,
  body: Buffer.from(body.toString('utf8').replace('"salePrice":0', '"salePrice":9')),
});
const minute = 60_000;

interface Case {
  readonly made: (good: Delivery) => Delivery;
  /** What a verifier of both signatures says; `verified` or why not. */
  readonly said: RegExp;
  /** Tried in every language; the others only where a try costs little. */
  readonly basic?: true;
  /** Only the specification's own signature can tell: the Standard Webhooks libraries don't look at it. */
  readonly onlyOwn?: true;
}

const cases: Readonly<Record<string, Case>> = {
  'the delivery as it came': { made: (good) => good, said: /^verified$/, basic: true },
  'one of four minutes ago': { made: (good) => signedAt(good, -4 * minute), said: /^verified$/ },
  'a body with another price': { made: tampered, said: /^refused: x-service-signature/, basic: true },
  'a body with one more byte': {
    made: (good) => ({ ...good, body: Buffer.concat([good.body, Buffer.from(' ')]) }),
    said: /^refused: x-service-signature/,
  },
  'another secret': {
    made: (good) => ({ ...good, secret: newWebhookSecret() }),
    said: /^refused: x-service/,
    basic: true,
  },
  'one of six minutes ago': {
    made: (good) => signedAt(good, -6 * minute),
    said: /^refused: webhook-timestamp/,
    basic: true,
  },
  'one from six minutes ahead': {
    made: (good) => signedAt(good, 6 * minute),
    said: /^refused: webhook-timestamp/,
  },
  'another id': {
    made: (good) => ({ ...good, headers: { ...good.headers, 'webhook-id': 'evt_other' } }),
    said: /^refused: webhook-signature/,
    basic: true,
  },
  'no webhook-signature': { made: (good) => without(good, 'webhook-signature'), said: /^refused: webhook-signature/ },
  'no webhook-timestamp': { made: (good) => without(good, 'webhook-timestamp'), said: /^refused: webhook-timestamp/ },
  'no X-Service-Signature': {
    made: (good) => without(good, 'x-service-signature'),
    said: /^refused: x-service-signature/,
    onlyOwn: true,
  },
};

const python = firstThatRuns([
  ['python3', '--version'],
  ['python', '--version'],
]);
const folder = 'examples/verify-webhook';

interface Program {
  readonly tool: string;
  /** undefined: the tool is not there. */
  readonly command: readonly [string, ...string[]] | undefined;
  readonly startsFast?: true;
}
const ifAny = (command: string | undefined, ...args: string[]): Program['command'] =>
  command === undefined ? undefined : [command, ...args];

/** Compiles it before each run, which takes less than half a second. */
function withMono(): Program['command'] {
  const isThere = ['mcs', 'mono'].every((tool) => firstThatRuns([[tool, '--version']]) !== undefined);
  const program = join(temporaryFolder('mono'), 'Verify.exe');
  const commands = `mcs -out:"$0" ${folder}/Verify.cs && exec mono "$0" "$@"`;
  return isThere ? ['bash', '-c', commands, program] : undefined;
}

/** Every example takes the headers in a file, the body as its input and the secret in WEBHOOK_SECRET. */
const programs: Readonly<Record<string, Program>> = {
  'verify.ts': { tool: 'node', command: [process.execPath, '--import=tsx', `${folder}/verify.ts`] },
  'verify.py': { tool: 'Python', command: ifAny(python, `${folder}/verify.py`), startsFast: true },
  'Verify.java': {
    tool: 'Java 17',
    command: ifAny(firstThatRuns([['java', '--version']]), '-XX:TieredStopAtLevel=1', `${folder}/Verify.java`),
  },
  'verify.php': { tool: 'PHP', command: ifAny(firstThatRuns([['php', '--version']]), `${folder}/verify.php`) },
  'verify.go': {
    tool: 'Go',
    command: ifAny(firstThatRuns([['go', 'version']]), 'run', `${folder}/verify.go`),
  },
  'Verify.cs': {
    tool: '.NET 10',
    command: ifAny(firstThatRuns([['dotnet', 'run', '--file', '--help']]), 'run', `${folder}/Verify.cs`),
  },
  'Verify.cs, compiled by Mono': { tool: 'Mono', command: withMono() },
};

async function verify(
  command: readonly [string, ...string[]],
  { headers, body, secret }: Delivery,
): Promise<ProgramResult> {
  const file = join(temporaryFolder('webhook'), 'headers.txt');
  await writeFile(
    file,
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  return runProgram([...command, file], { stdin: body, environment: { WEBHOOK_SECRET: secret } });
}

for (const [name, { command, tool, startsFast }] of Object.entries(programs)) {
  if (command === undefined) {
    console.log(`skipped: examples/verify-webhook/${name}, because there is no ${tool} on this machine`);
    continue;
  }
  // specification: x-service-signature-sha256
  test.serial(`${name} accepts a real delivery and refuses what was forged or is old, saying why`, async (t) => {
    const tried = Object.entries(cases).filter(([, { basic }]) => startsFast === true || basic === true);
    for (const [what, { made, said }] of tried) {
      const { code, output } = await verify(command, made(delivery));
      t.regex(output, said, what);
      t.is(code, output === 'verified' ? 0 : 1, what);
    }
  });
}

// specification: x-service-signature-sha256
test('verifyWebhook gives the event of a real delivery and refuses every other one', (t) => {
  for (const [what, { made, said }] of Object.entries(cases)) {
    const { headers, body, secret } = made(delivery);
    const check = () => verifyWebhook(body, headers, { secret });
    if (said.test('verified')) t.deepEqual(check(), JSON.parse(body.toString('utf8')), what);
    else t.regex(`refused: ${t.throws(check, { instanceOf: UntrustedDelivery }, what)?.message ?? ''}`, said, what);
  }
});

const standardCases = Object.entries(cases).filter(([, { onlyOwn }]) => onlyOwn !== true);

// specification: standard-webhooks-headers-for
test('the library standardwebhooks of npm accepts a real delivery and refuses every other one', (t) => {
  for (const [what, { made, said }] of standardCases) {
    const { headers, body, secret } = made(delivery);
    const check = () => new Webhook(secret).verify(body.toString('utf8'), headers);
    if (said.test('verified')) t.deepEqual(check(), JSON.parse(body.toString('utf8')), what);
    else t.throws(check, undefined, what);
  }
});

const pythonCheck = `
import json, os, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
headers = dict(line.strip().split(": ", 1) for line in open(sys.argv[1], encoding="utf-8"))
try:
    print(json.dumps(Webhook(os.environ["WEBHOOK_SECRET"]).verify(sys.stdin.buffer.read(), headers)))
except WebhookVerificationError as error:
    print(f"refused: {error}")
    sys.exit(1)
`;
import { present } from '../support/clock.ts';

const libraryPath = process.env['TEST_PYTHON_PATH'];
if (python === undefined || libraryPath === undefined) {
  const problem = process.env['TEST_PYTHON_PROBLEM'] ?? 'the tests were not started by "npm test"';
  console.log(
    `skipped: the library standardwebhooks of PyPI, because ${python === undefined ? 'there is no Python' : problem}`,
  );
} else {
  // specification: standard-webhooks-headers-for
  test.serial('the library standardwebhooks of PyPI accepts a real delivery and refuses every other one', async (t) => {
    process.env['PYTHONPATH'] = libraryPath;
    process.env['PYTHONDONTWRITEBYTECODE'] = '1';
    for (const [what, { made, said }] of standardCases) {
      const sent = made(delivery);
      const { code, output } = await verify([python, '-c', pythonCheck], sent);
      if (said.test('verified')) t.deepEqual(JSON.parse(output), JSON.parse(sent.body.toString('utf8')), what);
      else t.regex(output, /^refused: /, what);
      t.is(code, said.test('verified') ? 0 : 1, what);
    }
  });
}
