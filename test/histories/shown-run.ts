import type { WorkflowHandle } from '@temporalio/client';
import { blockedReasonKey } from '../../workflows/contracts/search-attributes.ts';
import { until } from '../support/until.ts';
import type { TestAccount, World } from '../support/world.ts';

/** The workflow of the account's item. */
export const runOf = async ({ foundation }: World, account: TestAccount): Promise<WorkflowHandle> =>
  foundation.client.workflow.getHandle(`item:${(await account.status('A1')).status.serviceItemId}`);

/** Waits until that workflow shows operators a reason. */
export const untilShown = (world: World, account: TestAccount, reason: string): Promise<unknown> =>
  until(`${reason} is shown`, async () => {
    const run = await (await runOf(world, account)).describe().catch(() => null);
    return run?.typedSearchAttributes.get(blockedReasonKey) === reason;
  });

/** How many activities of that workflow have failed so far. */
export async function failedSteps(world: World, account: TestAccount): Promise<number> {
  // Not begun yet: no history.
  const { events } = await (await runOf(world, account)).fetchHistory().catch(() => ({ events: [] }));
  return (events ?? []).filter((event) => event.activityTaskFailedEventAttributes != null).length;
}
