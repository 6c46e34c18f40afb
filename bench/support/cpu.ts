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

/** How long the main thread of each process has stood in line for a core so far, in ms: what the machine does to it, whatever it does itself. */
export const readCoreWaits = (pids: Readonly<Record<string, number>>): CpuTimes =>
  Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
      return [name, Number(waitedNs) / 1_000_000];
    }),
  );

export const sum = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((total, value) => total + value, 0);

function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process's name comes second, in brackets, and may hold blanks; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
