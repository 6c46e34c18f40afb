import type { ManagedProcess } from '../../embedded/managed-process.ts';

export function pidOf(process: ManagedProcess): number {
  if (process.pid === undefined) throw new Error(`${process.name} does not run`);
  return process.pid;
}
