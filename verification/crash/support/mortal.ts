import { pathToFileURL } from 'node:url';
import { ManagedProcess } from '../../../embedded/managed-process.ts';

const preload = pathToFileURL('verification/crash/support/die-at-write.mjs').href;

/** A process like `of` that dies at this write, once it is armed: see die-at-write.mjs. It says in `diedFile` that it did. */
export function mortal({ plan }: ManagedProcess, dieAt: string, diedFile: string): ManagedProcess {
  const environment = { ...plan.environment, DIE_AT: dieAt, DIED_FILE: diedFile, NODE_OPTIONS: `--import=${preload}` };
  return new ManagedProcess({ ...plan, environment });
}

export const arm = ({ pid }: ManagedProcess): void => void (pid !== undefined && process.kill(pid, 'SIGUSR2'));
