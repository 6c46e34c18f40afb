import { absentPayments } from '../gateways/payments/absent-payments.ts';
import type { Payments } from '../gateways/payments/port.ts';
import { createStripePayments } from '../gateways/payments/stripe-payments.ts';
import type { Foundation } from './foundation.ts';

/** The payment processor, where one is configured. */
export const composePayments = ({ config, now, instead }: Pick<Foundation, 'config' | 'now' | 'instead'>): Payments =>
  instead?.payments ??
  (config.payments.secretKey === '' ? absentPayments : createStripePayments({ ...config.payments, now }));
