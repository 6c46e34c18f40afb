import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { locateHome, type Home } from '../../embedded/home.ts';
import { takeRunLock } from '../../embedded/run-lock.ts';
import { present } from '../support/clock.ts';

test('a record of processes that are gone, or whose ids belong to others now, does not stop a start', (t) => {
  const home = newHome({ pid: 2 ** 22 + 1, children: { mongod: process.ppid } });
  t.notThrows(() => takeRunLock(home).release());
});

test('a child that an earlier run left behind is named with the way to end it', (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'bin/worker.ts']);
  t.teardown(() => child.kill());
  const home = newHome({ pid: 2 ** 22 + 1, children: { worker: child.pid ?? 0 } });
  t.throws(() => takeRunLock(home), {
    message: new RegExp(`worker \\(${String(child.pid)}\\).*kill ${String(child.pid)}`),
  });
});

function newHome(record: { pid: number; children: Record<string, number> }): Home {
  const home = locateHome(
    process.cwd(),
    mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), 'itembridge-lock-')),
  );
  mkdirSync(home.directory, { recursive: true });
  writeFileSync(home.lockFile, JSON.stringify({ ...record, startedAt: present().toISOString(), apiUrl: '' }));
  return home;
}
