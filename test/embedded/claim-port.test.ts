import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { freePort, PortChooser } from '../../embedded/choose-port.ts';
import { claimPort } from '../../embedded/claim-port.ts';

const claimInAnother = (port: number): string[] => [
  '--import=tsx',
  '--input-type=module',
  '--eval',
  `const { claimPort } = await import(${JSON.stringify(join(process.cwd(), 'embedded/claim-port.ts'))});
   console.log(claimPort(${String(port)}));
   process.stdin.resume();`,
];

test('a port is claimed once, by whichever process came first, until that one ends', async (t) => {
  const port = await freePort();
  const other = spawn(process.execPath, claimInAnother(port), { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => other.kill('SIGKILL'));
  const [answer] = (await once(other.stdout, 'data')) as [Buffer];
  t.is(answer.toString(), 'true\n');
  t.false(claimPort(port), 'the other process has it');

  other.kill('SIGKILL');
  await once(other, 'exit');
  t.true(claimPort(port), 'nobody has it: it could not take its claim back');
  t.false(claimPort(port), 'a second server of this process would not find it free either');
  t.is(execFileSync(process.execPath, claimInAnother(port), { input: '' }).toString(), 'false\n');
});

test('the port that another start has picked is not picked, though nothing listens on it yet', async (t) => {
  const said: string[] = [];
  const preferred = await freePort();
  const chosen = await Promise.all(
    [1, 2].map(() => new PortChooser((line) => said.push(line)).choose('a server', preferred)),
  );
  t.true(chosen.includes(preferred));
  t.is(new Set(chosen).size, 2);
  t.deepEqual(said, [
    `port ${String(preferred)} is taken, using ${String(chosen.find((port) => port !== preferred))} for a server`,
  ]);
});
