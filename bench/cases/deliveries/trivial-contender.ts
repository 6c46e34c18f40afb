import { ForkedProcess } from '../../support/forked-process.ts';
import { pidOf } from '../../support/pid-of.ts';
import type { BenchServers } from '../../support/servers.ts';
import { untilNoWorkflow } from '../../support/until-idle.ts';
import type { Contender } from './contender.ts';

export type TrivialType = 'oneActivity' | 'oneLocalActivity';

/** The floor of everything that runs on Temporal: workflows with one activity that does nothing, which stands for the arrival. */
export async function startTrivialContender(servers: BenchServers, type: TrivialType): Promise<Contender> {
  const taskQueue = `bench-${type}`;
  const settings = { TEMPORAL_ADDRESS: servers.temporalAddress, TEMPORAL_TASK_QUEUE: taskQueue, BENCH_WORKFLOW: type };
  const [worker, maker] = await Promise.all([
    ForkedProcess.start('trivial-worker', settings),
    ForkedProcess.start('trivial-maker', settings),
  ]);
  return {
    ...{ accounts: ['nobody'], maker, receiver: worker },
    pids: { temporal: pidOf(servers.temporal), worker: worker.pid, starter: maker.pid },
    countOpen: () => Promise.resolve(0),
    untilIdle: () => untilNoWorkflow(servers.temporalClient, taskQueue),
    close: async () => {
      await Promise.all([worker.stop(), maker.stop()]);
    },
  };
}
