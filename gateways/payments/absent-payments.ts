import { InvalidPaymentEvent, PaymentsUnavailable, type Payments } from './port.ts';

const absent = async (): Promise<never> => {
  throw new PaymentsUnavailable('not_configured', 'no payment processor is configured');
};

/** Used without a configured processor: every account stays on the free tier. */
export const absentPayments: Payments = {
  createCustomer: absent,
  createCheckout: absent,
  readCheckout: absent,
  listRunning: absent,
  readEvent: () => {
    throw new InvalidPaymentEvent('no payment processor is configured');
  },
};
