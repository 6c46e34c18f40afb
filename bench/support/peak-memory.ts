import { readFileSync } from 'node:fs';

/** The most memory that a process has had resident so far, in MB. Needs /proc (Linux). */
export function peakMemoryMb(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) / 1_024;
}
