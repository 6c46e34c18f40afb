import { readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second for everybody who asks. */
const msPerTick = 10;

/** CPU time that each process has used so far, user and system, all its threads, in ms. Needs /proc (Linux). */
export type CpuTimes = Readonly<Record<string, number>>;

export function readCpuTimes(pids: Readonly<Record<string, number>>): CpuTimes {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMsOf(pid)]));
}

export function cpuSince(before: CpuTimes, pids: Readonly<Record<string, number>>): Record<string, number> {
  const after = readCpuTimes(pids);
  return Object.fromEntries(Object.keys(pids).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]));
}

export const sum = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((total, value) => total + value, 0);

function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process's name comes second, in brackets, and may hold blanks; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
