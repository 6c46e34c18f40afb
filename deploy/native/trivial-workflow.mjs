// The workflow of the proof: three steps for a small tenant behind many of a big one, on a queue that does one at a time.
import { proxyActivities } from '@temporalio/workflow';

const stepOf = (fairnessKey) => proxyActivities({ startToCloseTimeout: '1 minute', priority: { fairnessKey } }).step;

/** Returns the tenants in the order in which their steps ran. */
export async function orderOfTenants(bigCount, smallCount) {
  const big = Array.from({ length: bigCount }, () => stepOf('big')('big'));
  const small = Array.from({ length: smallCount }, () => stepOf('small')('small'));
  await Promise.all([...big, ...small]);
  return stepOf('big')('report');
}
