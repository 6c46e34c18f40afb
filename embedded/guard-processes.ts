import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let guard: ChildProcess | undefined;

/** Has a detached child stopped when this process ends in any way, even by kill -9. */
export function guardProcess(pid: number): void {
  startGuard().send({ add: pid });
}

export function unguardProcess(pid: number): void {
  guard?.send({ remove: pid });
}

function startGuard(): ChildProcess {
  if (guard !== undefined) return guard;
  guard = fork(fileURLToPath(new URL('guard.mjs', import.meta.url)), {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  guard.on('error', () => undefined);
  guard.unref();
  guard.channel?.unref();
  return guard;
}
