import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { UntrustedDelivery, verifyWebhook, type WebhookEvent } from '../../examples/verify-webhook/verify.ts';
import { Inbox, webhookListener } from '../../examples/webhook-receiver/webhook-receiver.ts';
import { present } from '../support/clock.ts';

const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString('base64')}`;
const now = Date.parse('2026-03-14T09:41:00Z');
const anEvent = (change: Partial<WebhookEvent> = {}): WebhookEvent => ({
  eventId: 'evt_1',
  eventType: 'item.created',
  timestamp: '2026-03-14T09:41:00Z',
  data: { externalId: 'A1', sequence: 1, account: { serviceUserId: 'u1' } },
  ...change,
});

/** Signs by hand, as the specification says it. */
function signed(body: Buffer, { at = now, id = 'evt_1' } = {}) {
  const timestamp = String(Math.floor(at / 1000));
  return {
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key)
      .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]))
      .digest('base64')}`,
  };
}
const bytes = (event: WebhookEvent): Buffer => Buffer.from(JSON.stringify(event));
const refused = { instanceOf: UntrustedDelivery };

test('a body that was changed on the way is refused under either signature alone', (t) => {
  const body = bytes(anEvent());
  const forged = bytes(anEvent({ eventType: 'item.sold' }));
  const [good, own] = [signed(body), signed(forged)];
  t.throws(
    () => verifyWebhook(forged, { ...own, 'x-service-signature': good['x-service-signature'] }, { secret, now }),
    refused,
  );
  t.throws(
    () => verifyWebhook(forged, { ...own, 'webhook-signature': good['webhook-signature'] }, { secret, now }),
    refused,
  );
});

test('one of several signatures is enough while a secret is being changed', (t) => {
  const body = bytes(anEvent());
  const headers = signed(body);
  t.notThrows(() =>
    verifyWebhook(
      body,
      { ...headers, 'webhook-signature': `v1,b2xk ${headers['webhook-signature']}` },
      { secret, now },
    ),
  );
});

/** What happened `sequence`th to an item, under an eventId of its own. */
const anEventOf = (sequence: number, eventType = 'item.created'): WebhookEvent =>
  anEvent({
    eventId: `evt_${sequence}`,
    eventType,
    data: { externalId: 'A1', sequence, account: { serviceUserId: 'u1' } },
  });
const aTest = anEvent({
  eventId: 'evt_test_1',
  eventType: 'item.sold',
  data: { externalId: 'A1', sequence: 1, test: true, account: { serviceUserId: 'u1' } },
});

test("an event taken before is a duplicate, an older one of the same item is stale, another member's item of that name is neither", (t) => {
  const inbox = new Inbox();
  const second = anEventOf(2);
  inbox.take(second);
  t.is(inbox.judge(second), 'duplicate');
  t.is(inbox.judge(anEventOf(1)), 'stale');
  t.is(inbox.judge(anEvent({ data: { externalId: 'A1', sequence: 1, account: { serviceUserId: 'u2' } } })), 'new');
});

test('a stale event that was taken is a duplicate from then on, and does not set the item back', (t) => {
  const inbox = new Inbox();
  for (const sequence of [5, 2]) inbox.take(anEventOf(sequence));
  t.is(inbox.judge(anEventOf(2)), 'duplicate');
  t.is(inbox.judge(anEventOf(4)), 'stale');
  t.is(inbox.judge(anEventOf(6)), 'new');
});

test('a test is never counted: what comes after it is judged as if it had not been', (t) => {
  const inbox = new Inbox();
  inbox.take(aTest);
  t.is(inbox.judge(aTest), 'test');
  t.is(inbox.judge(anEventOf(1)), 'new');
});

test('the receiver answers 204, hands each event over once, and answers 401 to a forgery', async (t) => {
  const { send, sendBytes, events, close } = await aReceiver();
  const body = bytes(anEvent());
  const forged = Buffer.concat([body, Buffer.from(' ')]);
  const statuses = [await send(anEvent()), await send(anEvent()), await sendBytes(forged, signed(body, fresh()))];
  close();
  t.deepEqual(statuses, [204, 204, 401]);
  t.deepEqual(events, [{ event: anEvent(), isStale: false }]);
});

test('a sale that comes late, after a retry or a recovery, is handed over with a mark and not lost', async (t) => {
  const { send, events, close } = await aReceiver();
  const sale = anEventOf(4, 'item.sold');
  for (const event of [anEventOf(3), anEventOf(5), sale, sale]) t.is(await send(event), 204);
  close();
  t.deepEqual(events, [
    { event: anEventOf(3), isStale: false },
    { event: anEventOf(5), isStale: false },
    { event: sale, isStale: true },
  ]);
});

test('a test is verified and answered, and never handed over', async (t) => {
  const { send, sendBytes, events, lines, close } = await aReceiver();
  t.is(await send(aTest), 204);
  t.is(await sendBytes(bytes(aTest), {}), 401);
  close();
  t.deepEqual(events, []);
  t.deepEqual(lines, [
    'test      item.sold         A1 evt_test_1',
    'refused   x-service-signature does not fit the body',
  ]);
});

test('work that failed is answered with 500 and taken at the next attempt', async (t) => {
  let isBroken = true;
  const { send, close } = await aReceiver(() => {
    if (isBroken) throw new Error('the database is away');
  });
  t.is(await send(anEvent()), 500);
  isBroken = false;
  t.is(await send(anEvent()), 204);
  close();
});

const fresh = (): { at: number } => ({ at: present().getTime() });

async function aReceiver(work: () => void = () => undefined) {
  const events: { event: WebhookEvent; isStale: boolean }[] = [];
  const lines: string[] = [];
  const server = createServer(
    webhookListener({
      secret,
      log: (line) => lines.push(line),
      onEvent: (event, { isStale }) => {
        work();
        events.push({ event, isStale });
      },
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sendBytes = async (body: Buffer, headers: Record<string, string>): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: new Uint8Array(body) })).status;
  const send = (event: WebhookEvent): Promise<number> =>
    sendBytes(bytes(event), signed(bytes(event), { id: event.eventId, ...fresh() }));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { send, sendBytes, events, lines, close };
}
