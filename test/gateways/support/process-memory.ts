import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the process has ended
  }
};

/** The ids of a process and of all that it started. Linux only. */
export function processTree(root: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parentOf = new Map(
    pids.map((pid) => [pid, Number(/^\d+ \(.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1])]),
  );
  const tree = [root];
  for (const parent of tree) tree.push(...pids.filter((pid) => parentOf.get(pid) === parent));
  return tree;
}

/** The memory of processes together; pages that several of them use count for each by its part. */
export const residentBytes = (pids: readonly number[]): number =>
  pids.reduce(
    (sum, pid) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024,
    0,
  );

export const isRunning = (pid: number): boolean =>
  !['', 'Z'].includes(/^\d+ \(.*\) (\S)/s.exec(read(`/proc/${pid}/stat`))?.[1] ?? '');
