import { WorkflowNotFoundError } from '@temporalio/client';
import type { World } from './world.ts';

/** The state of an item's newest run, `none` while it never had one. */
export const runOf = ({ foundation }: World, itemId: string): Promise<string> =>
  foundation.client.workflow
    .getHandle(`item:${itemId}`)
    .describe()
    .then(({ status }) => status.name)
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return 'none';
      throw error;
    });
