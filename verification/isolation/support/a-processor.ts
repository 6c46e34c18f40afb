import { InvalidPaymentEvent, type Checkout, type Payments } from '../../../gateways/payments/port.ts';
import { canary } from './traces.ts';

/** The signature that its events have. */
export const goodSignature = 'signed';

/** A payment processor whose ids and pages are canaries. It holds no subscription. */
export function aProcessor(now: () => Date): Payments {
  const checkouts = new Map<string, Checkout>();
  return {
    createCustomer: async () => `cus_${canary()}`,
    createCheckout: async () => {
      const id = `cs_${canary()}`;
      const expiresAt = new Date(now().getTime() + 3_600_000);
      const checkout = { id, state: 'open', url: `https://pay.example/${canary()}`, expiresAt } as const;
      checkouts.set(id, checkout);
      return checkout;
    },
    readCheckout: async (id) => checkouts.get(id) ?? null,
    listRunning: async () => [],
    readEvent: (bytes, signature) => {
      if (signature !== goodSignature) throw new InvalidPaymentEvent('not signed');
      const { id, type, data } = JSON.parse(bytes.toString('utf8')) as SentEvent;
      return { id, type, createdAt: now(), customerId: data.object.customer, accountId: null };
    },
  };
}

interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly customer: string } };
}

/** As the processor would send it. */
export const aPaymentEvent = (customer: string, id: string): SentEvent => ({
  id,
  type: 'customer.subscription.deleted',
  data: { object: { customer } },
});
