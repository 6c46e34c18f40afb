import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { TrivialActivities } from './trivial-worker.ts';

const options = { startToCloseTimeout: '20 seconds' } as const;
const { note } = proxyActivities<TrivialActivities>(options);
const local = proxyLocalActivities<TrivialActivities>(options);

export async function oneActivity(): Promise<void> {
  await note(workflowInfo().workflowId);
}

export async function oneLocalActivity(): Promise<void> {
  await local.note(workflowInfo().workflowId);
}
