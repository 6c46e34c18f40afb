import express, { type Router } from 'express';
import { escapeHtml, sendPage } from '../kit/html-page.ts';
import type { CheckoutSession } from './model.ts';
import type { Processor } from './processor.ts';

/** The page on which a customer pays, with buttons in place of a card. */
export function hostedPages(processor: Processor): Router {
  const router = express.Router();
  router.get('/pay/:sessionId', (request, response) => {
    const { session } = processor.session(request.params.sessionId);
    sendPage(response, {
      title: 'Checkout (simulated)',
      html: session.status === 'open' ? openPage(session) : closedPage(session),
    });
  });
  router.post('/pay/:sessionId/complete', (request, response) => {
    const session = processor.completeSession(request.params.sessionId);
    response.redirect(303, session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id));
  });
  router.post('/pay/:sessionId/cancel', (request, response) => {
    const session = processor.cancelSession(request.params.sessionId);
    response.redirect(303, session.cancel_url ?? session.success_url);
  });
  return router;
}

function openPage(session: CheckoutSession): string {
  const amount = `${(session.amount_total / 100).toFixed(2)} ${session.currency.toUpperCase()}`;
  const button = (action: string, label: string) =>
    `<form method="post" action="/pay/${session.id}/${action}" style="display:inline"><button>${label}</button></form>`;
  return `<p>${escapeHtml(amount)} a period</p><p>${button('complete', 'Pay')}${button('cancel', 'Cancel')}</p>`;
}

function closedPage(session: CheckoutSession): string {
  return `<p>This checkout is ${session.status}.</p>`;
}
