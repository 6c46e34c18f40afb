import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { Context } from '../context.ts';
import type { Hints } from '../hints.ts';
import { startOfRecovery } from '../recoveries/sweep-recoveries.ts';
import { startOf } from './start-delivery.ts';

/** Starts of deliveries and recoveries, sent beside the critical path. */
export const deliveryHints = (
  hints: Hints,
  orchestrator: Orchestrator,
): Pick<Context['hints'], 'startDelivery' | 'startRecovery'> => ({
  startDelivery: (delivery) => hints.send(delivery._id, () => orchestrator.startDelivery(startOf(delivery))),
  startRecovery: (recovery) => hints.send(recovery.id, () => orchestrator.startRecovery(startOfRecovery(recovery))),
});
