import { absentPayments } from '../gateways/payments/absent-payments.ts';
import type { Payments } from '../gateways/payments/port.ts';
import { createStripePayments } from '../gateways/payments/stripe-payments.ts';
import { now, type Foundation } from './foundation.ts';

/** The payment processor, where one is configured. */
export const composePayments = ({ config }: Pick<Foundation, 'config'>): Payments =>
  config.payments.secretKey === '' ? absentPayments : createStripePayments({ ...config.payments, now });
