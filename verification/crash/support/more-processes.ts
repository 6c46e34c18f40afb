import { freePort } from '../../../embedded/choose-port.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { until } from '../../../test/support/until.ts';
import type { System } from './system.ts';

/** A third worker; not started. */
export const thirdWorker = ({ worker: { plan } }: System): ManagedProcess =>
  new ManagedProcess({ ...plan, logFile: plan.logFile.replace(/\.log$/, '-third.log') });

/** A second API beside the first, as in production; not started. */
export async function secondApi({
  api: { plan },
}: System): Promise<{ readonly api: ManagedProcess; readonly url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const api = new ManagedProcess({
    ...plan,
    environment: { ...plan.environment, API_PORT: String(port) },
    logFile: plan.logFile.replace(/\.log$/, '-other.log'),
    waitReady: async () => void (await until('the other API is ready', isReady)),
  });
  return { api, url };
}

/** Stops the process as a machine that freezes does, and lets it go on after `ms`, with all that it had in mind. */
export async function freeze(child: Pick<ManagedProcess, 'name' | 'pid'>, ms: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) throw new Error(`${child.name} does not run`);
  process.kill(pid, 'SIGSTOP');
  const stoppedAt = performance.now();
  // A real time limit of the processes.
  await until(`${ms} ms are over`, async () => performance.now() - stoppedAt >= ms, ms + 10_000);
  process.kill(pid, 'SIGCONT');
}
