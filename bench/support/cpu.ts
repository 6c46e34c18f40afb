import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Processes by name. Each stands for itself and all that it has started. */
export type Pids = Readonly<Record<string, number>>;

/** CPU time by process, user and system, all threads, in ms. */
export type CpuTimes = Readonly<Record<string, number>>;

/** What a piece of work took: by the clock, and of CPU time by process. */
export interface Spent {
  readonly ms: number;
  readonly cpuMsOf: CpuTimes;
}

/** Linux counts CPU time in hundredths of a second for everybody who asks. */
const msPerTick = 10;

/** Time and CPU time until `work` has ended. Needs /proc (Linux), like all of this file. */
export async function spend(pids: Pids, work: () => Promise<unknown>): Promise<Spent> {
  const [before, startedAt] = [readCpuTimes(pids), performance.now()];
  await work();
  return { ms: performance.now() - startedAt, cpuMsOf: cpuSince(before, pids) };
}

export const sum = (values: Readonly<Record<string, number>>): number =>
  Object.values(values).reduce((total, value) => total + value, 0);

/** The same for each of `count` pieces of work. */
export const shared = (values: CpuTimes, count: number): CpuTimes =>
  Object.fromEntries(Object.entries(values).map(([name, ms]) => [name, ms / count]));

/** CPU time used so far. Throws when one of the processes does not run. */
export function readCpuTimes(pids: Pids): CpuTimes {
  const running = readProcesses();
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMsOfTree(running, pid)]));
}

export function cpuSince(before: CpuTimes, pids: Pids): CpuTimes {
  const after = readCpuTimes(pids);
  return Object.fromEntries(Object.keys(pids).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]));
}

const [lookMs, quietShare, patienceMs] = [300, 0.15, 5_000];

/** Waits until the processes have as good as stopped working, so that one measurement doesn't pay for the one before; 5 s at most. */
export async function untilQuiet(pids: Pids): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookMs) {
    const { cpuMsOf } = await spend(pids, () => pause(lookMs));
    if (sum(cpuMsOf) < lookMs * quietShare) return;
  }
}

/** What `work` gives, and the part of the machine that was taken by processes which are not of this run, 0 to 1. */
export async function besideOthers<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  const self = { self: process.pid };
  const [before, own] = [readMachine(), readCpuTimes(self)];
  const result = await work();
  const after = readMachine();
  const others = after.busyMs - before.busyMs - sum(cpuSince(own, self));
  return [result, Math.max(0, others / (after.allMs - before.allMs))];
}

interface RunningProcess {
  /** Of its own, and of those children that have ended. */
  readonly cpuMs: number;
  readonly children: number[];
}

function readProcesses(): ReadonlyMap<number, RunningProcess> {
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(Number(name)) : []));
  const running = new Map(stats.map(({ pid, cpuMs }) => [pid, { cpuMs, children: [] as number[] }]));
  for (const { pid, parent } of stats) running.get(parent)?.children.push(pid);
  return running;
}

/** Nothing when the process has just ended. */
function readStat(pid: number): { pid: number; parent: number; cpuMs: number }[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process's name comes second, in brackets, and may hold blanks. User and system time follow, then those of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return [{ pid, parent: Number(fields[1]), cpuMs: ticks * msPerTick }];
  } catch {
    return [];
  }
}

function cpuMsOfTree(running: ReadonlyMap<number, RunningProcess>, pid: number): number {
  const root = running.get(pid);
  if (root === undefined) throw new Error(`process ${pid} does not run`);
  return root.children.reduce((total, child) => total + cpuMsOfTree(running, child), root.cpuMs);
}

function readMachine(): { busyMs: number; allMs: number } {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/).map(Number);
  // Guests are counted under "user" as well, so only the first eight are summed up; the fourth and fifth are idle time.
  const allMs = ticks.slice(0, 8).reduce((total, one) => total + one * msPerTick, 0);
  return { allMs, busyMs: allMs - ((ticks[3] ?? 0) + (ticks[4] ?? 0)) * msPerTick };
}
