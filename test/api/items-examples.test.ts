import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The page's commands in its order, as one script; without the first block, which says where the system is. */
function commandsOf(page: string): string {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block ?? '');
  return blocks.slice(1).join('\n');
}

if (!hasCurl)
  console.log('skipped: the requests of docs/reference/api-examples.md, because there is no curl on this machine');

(hasCurl ? test : test.skip)(
  'every request of docs/reference/api-examples.md answers with the status in its comment',
  async (t) => {
    const commands = commandsOf(readFileSync('docs/reference/api-examples.md', 'utf8'));
    const promised = [...commands.matchAll(/^# (\d{3}) /gm)].map(([, status]) => status);
    t.is(promised.length, [...commands.matchAll(/^curl /gm)].length, 'each request has its status');
    const { apiKey } = await world().account();
    const show = String.raw`curl() { command curl -sS -w '\n%{http_code}\n' "$@"; }`;
    const shell = spawn('bash', ['-euc', `${show}\n${commands}`], {
      env: { ...process.env, ITEMS: `${world().url}/integration/v1/items`, KEY: apiKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = await text(shell.stdout);
    const answered = [...output.matchAll(/^(\d{3})$/gm)].map(([, status]) => status);
    t.deepEqual(answered, promised, output);
    for (const [, message] of commands.matchAll(
      /^# 202 ((?:Item|Price|Status|Publication) [a-z]+(?: \(unchanged\))?)/gm,
    )) {
      t.true(output.includes(`"message":"${message ?? ''}"`), message);
    }
  },
);
