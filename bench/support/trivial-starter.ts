import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';

/** As many starts at once as the product's own hints. */
const startsAtOnce = 16;

export type TrivialType = 'oneActivity' | 'oneLocalActivity';

/** Starts trivial workflows and remembers when each was asked for. */
export function trivialStarter(client: Client, taskQueue: string) {
  const askedAt = new Map<string, number>();
  const start = async (type: TrivialType): Promise<void> => {
    const workflowId = `trivial:${randomUUID()}`;
    askedAt.set(workflowId, performance.timeOrigin + performance.now());
    await client.workflow.start(type, { workflowId, taskQueue });
  };
  return {
    askedAt,
    taskQueue,
    start,
    startMany: async (type: TrivialType, count: number): Promise<void> => {
      const limit = pLimit(startsAtOnce);
      await Promise.all(Array.from({ length: count }, () => limit(() => start(type))));
    },
  };
}
