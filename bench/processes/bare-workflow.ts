import { proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './bare-workflows.ts';

const { refuse } = proxyActivities<BareActivities>({ startToCloseTimeout: '20 seconds' });

/** One activity whose tries the engine's timers keep apart, as in the product's workflow of a delivery. */
export const bareRetries = (): Promise<void> => refuse();
