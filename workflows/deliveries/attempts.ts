import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from '../../activities/delivery-activities.ts';
import { siblingQueue } from '../contracts/queues.ts';

/**
 * The attempts of deliveries. Each try of the activity is one attempt, and the engine's own timers lie between them: a failed one
 * says in how many seconds the next is due (1, 2, 4, 8). So the engine's page shows the last error and the next attempt.
 */
export const deliveryAttempts = (): DeliveryActivities =>
  proxyActivities<DeliveryActivities>({
    taskQueue: siblingQueue(workflowInfo().taskQueue, 'attempts'),
    startToCloseTimeout: '45 seconds',
    heartbeatTimeout: '8 seconds',
    // For tries that end without a word: a worker that dies, a database that is away.
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '8 seconds' },
    summary: 'each try of it is one attempt',
  });
