import type { Binder } from '../bind.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { readSubscription } from './read-subscription.ts';
import { startCheckout } from './start-checkout.ts';
import { takePaymentEvent, type SentEvent } from './take-payment-event.ts';

export const bindSubscription = (binder: Binder) => {
  const inTurn = createKeyedMutex();
  return {
    read: binder.bind(readSubscription),
    startCheckout: binder.bind(startCheckout),
    takeEvent: binder.bind((context, sent: SentEvent) => takePaymentEvent({ ...context, inTurn }, sent)),
  };
};
