import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { cpuSince, readCpuTimes, sum } from './cpu.ts';

/** Waits until no workflow of the task queue is open. */
export async function untilNoWorkflow(client: Client, taskQueue: string): Promise<void> {
  const query = `TaskQueue="${taskQueue}" AND ExecutionStatus="Running"`;
  for (let tries = 0; tries < 900; tries += 1) {
    const { count } = await client.workflow.count(query);
    if (count === 0) return;
    await pause(200);
  }
  throw new Error(`workflows of ${taskQueue} are still open 3 minutes after their work was done`);
}

const lookMs = 300;
const quietShare = 0.15;
const patienceMs = 5_000;

/** Waits until the processes have as good as stopped working, so that one measurement doesn't pay for the one before; 5 s at most. */
export async function untilQuiet(pids: Readonly<Record<string, number>>): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookMs) {
    const before = readCpuTimes(pids);
    await pause(lookMs);
    if (sum(cpuSince(before, pids)) < lookMs * quietShare) return;
  }
}
