import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import { ReceiverSlots } from '../../features/webhooks/receiver-slots.ts';

const nothing = (): Promise<void> => Promise.resolve();
export const noEngine: Orchestrator = {
  signalItem: nothing,
  startReceiver: nothing,
  signalReceiver: nothing,
  startDelivery: nothing,
  startBulkSync: nothing,
};

/** Nothing is sent: deliveries wait for the workflows of their receivers. */
export class NoSlots extends ReceiverSlots {
  override reserve = (): null => null;
}
