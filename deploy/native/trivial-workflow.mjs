// The workflow of the proof: three steps for a small tenant behind many of a big one, on a queue that does one at a time.
import { proxyActivities } from '@temporalio/workflow';

const stepOf = (fairnessKey) => proxyActivities({ startToCloseTimeout: '1 minute', priority: { fairnessKey } }).step;

const { step: anyStep } = proxyActivities({ startToCloseTimeout: '1 minute' });

/** As many steps at once, for how much a queue does. */
export const manySteps = (count) => Promise.all(Array.from({ length: count }, () => anyStep())).then(() => undefined);

/** Returns the tenants in the order in which their steps ran. */
export async function orderOfTenants(bigCount, smallCount) {
  const big = Array.from({ length: bigCount }, () => stepOf('big')('big'));
  const small = Array.from({ length: smallCount }, () => stepOf('small')('small'));
  await Promise.all([...big, ...small]);
  return stepOf('big')('report');
}
