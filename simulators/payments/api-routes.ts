import { createHash } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import { Refusal } from '../kit/fields.ts';
import { escapeHtml, sendPage } from '../kit/html-page.ts';
import { rawBodyOf } from '../kit/request-body.ts';
import type { CheckoutSession } from './model.ts';
import { parseForm } from './parse-form.ts';
import type { PaymentBook } from './payment-book.ts';
import type { Processor } from './processor.ts';

/** The part of Stripe's API that is needed to sell one subscription. */
export function paymentApiRoutes(parts: {
  processor: Processor;
  book: PaymentBook;
  secretKey: string | undefined;
}): Router {
  const { processor, book, secretKey } = parts;
  const router = express.Router();
  router.use('/v1', (request, _response, next) => {
    const given = keyOf(request);
    if (given === '' || (secretKey !== undefined && given !== secretKey))
      throw new Refusal(401, 'api_key_invalid', 'Invalid API Key provided');
    next();
  });
  router.post('/v1/customers', (request, response) =>
    answerOnce({ request, response, book }, (form) => processor.createCustomer(form)),
  );
  router.post('/v1/checkout/sessions', (request, response) =>
    answerOnce({ request, response, book }, (form) => processor.createSession(form)),
  );
  router.get('/v1/checkout/sessions/:id', (request, response) => {
    response.json(processor.session(request.params.id).session);
  });
  router.get('/v1/subscriptions', (request, response) => {
    const customer = request.query['customer'];
    if (typeof customer !== 'string') throw new Refusal(400, 'parameter_missing', 'this simulator lists by customer');
    const data = processor.runningOf(customer);
    response.json({ object: 'list', url: '/v1/subscriptions', has_more: false, data });
  });
  router.get('/v1/subscriptions/:id', (request, response) => {
    response.json(processor.subscription(request.params.id));
  });
  return router;
}

/** A call repeated under the same `Idempotency-Key` gets the first answer and does nothing, as the SDK expects. */
function answerOnce(
  exchange: { request: Request; response: Response; book: PaymentBook },
  work: (form: ReturnType<typeof parseForm>) => unknown,
): void {
  const { request, response, book } = exchange;
  const text = rawBodyOf(request).toString('utf8');
  const key = request.get('Idempotency-Key');
  if (key === undefined) {
    response.json(work(parseForm(text)));
    return;
  }
  const fingerprint = createHash('sha256').update(`${request.method} ${request.path}\n${text}`).digest('hex');
  const stored = book.replies.get(key);
  if (stored !== undefined && stored.fingerprint !== fingerprint)
    throw new Refusal(400, 'idempotency_key_in_use', 'the Idempotency-Key was used with other parameters');
  const body = stored?.body ?? work(parseForm(text));
  if (stored === undefined) book.put({ type: 'reply', id: key, value: { key, fingerprint, body } });
  else response.set('Idempotent-Replayed', 'true');
  response.json(body);
}

/** Bearer, or the user name of Basic, as Stripe takes both. */
function keyOf(request: Request): string {
  const [scheme, value] = (request.get('Authorization') ?? '').split(' ');
  if (scheme === 'Bearer') return value ?? '';
  if (scheme === 'Basic')
    return (
      Buffer.from(value ?? '', 'base64')
        .toString('utf8')
        .split(':')[0] ?? ''
    );
  return '';
}

/** The page on which a customer pays; buttons replace the card form. */
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
