import express, { type Router } from 'express';
import { fieldsOf, Refusal } from '../kit/fields.ts';
import { jsonBodyOf } from '../kit/request-body.ts';
import type { EventSender } from './event-sender.ts';
import type { PaymentBook } from './payment-book.ts';
import type { Processor } from './processor.ts';

/** Simulates customers and time: pay, abandon, renew, fail to pay, end; and sets where events go. */
export function paymentAdminRoutes(parts: { processor: Processor; book: PaymentBook; events: EventSender }): Router {
  const { processor, book, events } = parts;
  const router = express.Router();
  router.post('/sessions/:id/complete', (request, response) => {
    response.json(processor.completeSession(request.params.id));
  });
  router.post('/sessions/:id/cancel', (request, response) => {
    response.json(processor.cancelSession(request.params.id));
  });
  router.get('/sessions', (_request, response) => {
    response.json({ sessions: [...book.sessions.values()].map(({ session }) => session) });
  });
  router.get('/subscriptions', (_request, response) => {
    response.json({ subscriptions: [...book.subscriptions.values()] });
  });
  router.post('/subscriptions/:id/renew', (request, response) => {
    response.json(processor.renewSubscription(request.params.id));
  });
  router.post('/subscriptions/:id/fail-payment', (request, response) => {
    response.json(processor.failPayment(request.params.id));
  });
  router.post('/subscriptions/:id/cancel-at-period-end', (request, response) => {
    response.json(processor.cancelAtPeriodEnd(request.params.id));
  });
  router.post('/subscriptions/:id/end', (request, response) => {
    response.json(processor.endSubscription(request.params.id));
  });
  router.get('/events', (_request, response) => {
    const rows = [...book.events.values()].map(({ event, delivered, attempts }) => ({
      id: event.id,
      type: event.type,
      delivered,
      attempts,
    }));
    response.json({ events: rows });
  });
  router.put('/webhook', (request, response) => {
    const fields = fieldsOf(jsonBodyOf(request));
    const url = fields.text('url', { min: 8, max: 2000 });
    if (!URL.canParse(url)) throw new Refusal(400, 'InvalidRequest', 'url must be an address');
    events.sendTo({ url, secret: fields.text('secret', { min: 1, max: 200 }) });
    response.status(204).end();
  });
  return router;
}
