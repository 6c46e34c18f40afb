// Loaded into API and worker by --import when the benchmark runs with --profile: writes a CPU profile at their end.
// Node's own --cpu-prof is not allowed in NODE_OPTIONS.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

const folder = process.env.BENCH_PROFILE_FOLDER;
const role = (process.argv[1] ?? '').split('/').slice(-2, -1)[0] ?? 'process';
const name = [role, process.pid, ...(isMainThread ? [] : [`thread-${threadId}`])].join('-');
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.on('exit', () => {
  session.post('Profiler.stop', (error, stopped) => {
    if (error !== null) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.cpuprofile`), JSON.stringify(stopped.profile));
  });
});
