import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { readCpuTimes } from '../../bench/support/cpu.ts';
import { isNoise } from '../../bench/support/machine.ts';

const machine = { cpu: 'a processor', cores: 2, memoryGb: 24, system: 'linux x64', loadBefore: 0.4 };

test('a row is noise when the machine was busy before the run, or with others during it', (t) => {
  t.false(isNoise(machine, 0.05));
  t.true(isNoise({ ...machine, loadBefore: 0.6 }, 0.05));
  t.true(isNoise(machine, 0.2));
});

test('a process answers for the CPU time of what it has started, while that runs and when it has ended', async (t) => {
  // A shell has no work of its own: what it uses is its child's, which takes 200 ms of CPU time and ends when the shell is told so.
  const work = 'while (process.cpuUsage().user < 200_000); console.log("worked"); setInterval(() => {}, 1_000)';
  const script = '"$0" -e "$1" & read line; kill $!; wait $!; echo ended; read line';
  const shell = spawn('sh', ['-c', script, process.execPath, work], { stdio: ['pipe', 'pipe', 'ignore'] });
  const said = async (): Promise<string> => String((await once(shell.stdout, 'data'))[0]).trim();
  const used = (): number => readCpuTimes({ shell: shell.pid ?? 0 })['shell'] ?? 0;
  try {
    t.is(await said(), 'worked');
    const running = used();
    t.true(running >= 100, `${running} ms`);
    shell.stdin.write('\n');
    t.is(await said(), 'ended');
    t.true(used() >= running);
  } finally {
    shell.stdin.end();
    await once(shell, 'exit');
  }
});
