import { join } from 'node:path';
import express from 'express';
import { createClock } from '../kit/clock.ts';
import { openJournal } from '../kit/journal.ts';
import type { Refusal } from '../kit/fields.ts';
import { startSimulator, type RunningSimulator } from '../kit/start-simulator.ts';
import { paymentAdminRoutes } from './admin-routes.ts';
import { hostedPages, paymentApiRoutes } from './api-routes.ts';
import { EventSender } from './event-sender.ts';
import { isPaymentChange, PaymentBook } from './payment-book.ts';
import { ParameterRefusal, Processor } from './processor.ts';

export interface PaymentsSimulatorOptions {
  readonly port?: number | undefined;
  /** Absent: everything is forgotten at the end. */
  readonly dataDir?: string | undefined;
  /** The key that callers must send; any when absent. */
  readonly secretKey?: string | undefined;
  /** Where events go; `PUT /admin/webhook` sets it later. Until then they are kept. */
  readonly webhookUrl?: string | undefined;
  /** Signs the events; needed with `webhookUrl`. */
  readonly webhookSecret?: string | undefined;
}

/** A payment processor that Stripe's SDK can talk to: checkout of a subscription, its life, signed events with retries. */
export async function startPaymentsSimulator(options: PaymentsSimulatorOptions = {}): Promise<RunningSimulator> {
  const { webhookUrl, webhookSecret, dataDir, secretKey } = options;
  if (webhookUrl !== undefined && webhookSecret === undefined)
    throw new Error('the payments simulator needs webhookSecret with webhookUrl');
  const target =
    webhookUrl === undefined || webhookSecret === undefined ? undefined : { url: webhookUrl, secret: webhookSecret };
  const book = new PaymentBook();
  const journal = openJournal({
    file: dataDir === undefined ? undefined : join(dataDir, 'payments.journal'),
    replay: (entry) => (isPaymentChange(entry) ? book.restore(entry) : undefined),
    snapshot: () => book.snapshot(),
  });
  book.keepIn(journal);
  const clock = createClock(book.advancedMs);
  clock.onAdvance(() => book.put({ type: 'clock', id: 'clock', value: clock.advancedMs() }));
  const events = new EventSender(book, target);
  let url = '';
  const processor = new Processor({ book, events, clock, siteUrl: () => url });
  const routes = express.Router();
  routes.use(paymentApiRoutes({ processor, book, secretKey }), hostedPages(processor));
  const running = await startSimulator({
    name: 'payments',
    port: options.port,
    clock,
    routes,
    admin: paymentAdminRoutes({ processor, book, events }),
    errorBody: stripeError,
    onClose() {
      events.stop();
      journal.close();
    },
  });
  url = running.url;
  events.sendPending();
  return running;
}

function stripeError(refusal: Refusal): unknown {
  const { status, code, message } = refusal;
  const param = refusal instanceof ParameterRefusal ? { param: refusal.param } : {};
  return { error: { type: status >= 500 ? 'api_error' : 'invalid_request_error', code, message, ...param } };
}
