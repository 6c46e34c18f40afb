import { readFileSync, writeFileSync } from 'node:fs';

/** The most memory that a process has had resident, since its start or since {@link resetPeakMemory}, in MB. Needs /proc (Linux). */
export const peakMemoryMb = (pid: number): number => readMb(pid, 'VmHWM');

/** The memory that a process has resident now, in MB. */
export const memoryMb = (pid: number): number => readMb(pid, 'VmRSS');

/** From now on the peak is counted anew. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function readMb(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) / 1_024;
}
