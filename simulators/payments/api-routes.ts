import { createHash } from 'node:crypto';
import express, { type Request, type Response, type Router } from 'express';
import { Refusal } from '../kit/refusal.ts';
import { rawBodyOf } from '../kit/request-body.ts';
import { parseForm } from './parse-form.ts';
import type { PaymentBook } from './payment-book.ts';
import type { Processor } from './processor.ts';

/** The subset of Stripe's API that selling one subscription takes. */
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

/** A call repeated under the same `Idempotency-Key` gets the first answer and does nothing; the SDK counts on it. */
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
