import { readdirSync, readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { startSystem, type System } from '../../verification/crash/support/system.ts';
import { until } from '../support/until.ts';
import type { ReceivedWebhook } from '../support/world.ts';
import { startCollector, type CollectedSpan, type Collector } from './support/collector.ts';
import { familyOf, readExposition, type Exposition } from './support/exposition.ts';
import { logLines, type LogLine } from './support/log-lines.ts';
import { namesInUse } from './support/names-in-use.ts';

const requestId = 'erp-2026-11-22.0001';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const externalId = 'A1';
const picture = readdirSync('examples/catalogue/images').find((name) => name.endsWith('.jpg')) ?? '';

let system: System;
let collector: Collector;
let webhooks: readonly ReceivedWebhook[];
/** Of what was started, the last first. */
const closing: (() => Promise<void>)[] = [];

/** One item, pushed with an id and a trace of the caller's, until its auction is live and sold, and all of it was told. */
test.before(async () => {
  collector = await startCollector();
  closing.unshift(() => collector.close());
  system = await startSystem({
    LOG_LEVEL: 'debug',
    METRICS_PORT: '0',
    MARKETPLACE_CALLS_PER_DAY: '500000',
    MARKETPLACE_LOOK_INTERVAL_MS: '500',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TRACE_TRUST_CALLERS: 'true',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
  closing.unshift(() => system.stop());
  const answer = await fetch(`${system.apiUrl}/integration/v1/items/${externalId}`, {
    method: 'PUT',
    headers: {
      ...system.headers,
      'X-Request-Id': requestId,
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({
      title: 'Leksaksbil av trä',
      price: 100,
      imageUrls: [`${system.images.url}/${picture}`],
      domain: { domain: 'toys' },
      autoPublishTradera: true,
    }),
  });
  if (answer.status !== 202) throw new Error(await answer.text());
  await untilTold('listing.created');
  const [listing] = await system.listings();
  const ad = `${system.marketplace.adminUrl}/listings/${listing?.itemId ?? ''}`;
  await fetch(`${ad}/bids`, {
    method: 'POST',
    body: '{"amount":500}',
    headers: { 'content-type': 'application/json' },
  });
  await fetch(`${ad}/end`, { method: 'POST' });
  webhooks = await untilTold('item.sold');
});

test.after.always(async () => {
  for (const close of closing) await close();
});

const untilTold = (eventType: string): Promise<ReceivedWebhook[]> =>
  until(`${eventType} was received`, async () => {
    const received = await system.received();
    return received.some(({ body }) => body.eventType === eventType) && received;
  });

const linesOf = (which: 'api' | 'worker', msg: string): LogLine[] =>
  logLines(system[which].plan.logFile).filter((line) => line.msg === msg);

const told = (eventType: string): ReceivedWebhook => {
  const found = webhooks.find(({ body }) => body.eventType === eventType);
  if (found === undefined) throw new Error(`no ${eventType}`);
  return found;
};

// specification: x-request-id-on
test('the id of a request is in every log line of what it caused, from the API to the delivery', async (t) => {
  const [answered] = linesOf('api', 'request.answered').filter(({ requestId: id }) => id === requestId);
  t.is(answered?.['route'], '/integration/v1/items/{external_id}');
  const steps = linesOf('worker', 'item.step_ended').filter(({ requestId: id }) => id === requestId);
  t.deepEqual([...new Set(steps.map(({ step }) => step))].sort(), ['go-live', 'prepare-listing', 'process-images']);
  const delivered = await until('the delivery was logged', async () => {
    const lines = linesOf('worker', 'delivery.attempted').filter(({ requestId: id }) => id === requestId);
    return lines.length >= 3 && lines;
  });
  t.deepEqual(delivered.map(({ eventType }) => eventType).sort(), [
    'item.created',
    'item.images_ready',
    'listing.created',
  ]);
});

test('every line that API and worker have written is a JSON object with level, time and msg', (t) => {
  for (const which of ['api', 'worker'] as const) {
    const lines = readFileSync(system[which].plan.logFile, 'utf8').trimEnd().split('\n');
    t.true(lines.length > 2, which);
    const others = lines.filter((line) => !/^\{"level":"\w+","time":"[^"]+",.*"msg":".*\}$/.test(line));
    t.deepEqual(others, []);
    for (const line of lines) t.notThrows(() => JSON.parse(line) as unknown, line);
  }
});

// specification: x-request-id-on
test('the id of a request is the X-Request-Id of the webhooks it caused, and never in their body', (t) => {
  for (const eventType of ['item.created', 'item.images_ready', 'listing.created']) {
    const { headers, body } = told(eventType);
    t.is(headers['x-request-id'], requestId, eventType);
    t.false(JSON.stringify(body).includes(requestId));
  }
});

test('the id of a request is in the stored events and in the memo of the workflow it began', async (t) => {
  const { store, client } = system.foundation;
  const events = await store.connection.collection('events').find({ externalId, type: 'item.created' }).toArray();
  t.deepEqual(
    events.map((event) => event['requestId'] as unknown),
    [requestId],
  );
  const { serviceItemId } = await system.status(externalId);
  const runs: unknown[] = [];
  for await (const run of client.workflow.list({ query: `WorkflowId = "item:${serviceItemId}"` })) runs.push(run.memo);
  t.true(runs.some((memo) => (memo as { requestId?: unknown } | undefined)?.requestId === requestId));
});

test('what the marketplace caused has an id of its own, from the look that found it out to the webhook', async (t) => {
  const id = told('item.sold').headers['x-request-id'] ?? '';
  t.regex(id, /^marketplace-[0-9a-f-]{36}$/);
  await until('the delivery was logged', async () =>
    linesOf('worker', 'delivery.attempted').some(
      (line) => line['requestId'] === id && line['eventType'] === 'item.sold',
    ),
  );
});

test('no log line holds a secret', (t) => {
  const secrets = [system.headers['X-API-Key'] ?? system.headers['x-api-key'] ?? ''];
  t.true((secrets[0]?.length ?? 0) > 10);
  for (const which of ['api', 'worker'] as const) {
    const text = logLines(system[which].plan.logFile).map((line) => JSON.stringify(line));
    for (const secret of [...secrets, 'whsec_', 'mongodb://', 'eyJ'])
      t.false(
        text.some((line) => line.includes(secret)),
        `${which}: ${secret.slice(0, 6)}`,
      );
  }
});

const spanOf = (name: string, service: string): CollectedSpan | undefined =>
  collector.spans.find((span) => span.traceId === traceId && span.name === name && span.service === service);

test("one trace reaches from the caller's request over workflow to the calls to the outside", async (t) => {
  const request = await until('the span of the request', async () =>
    spanOf('PUT /integration/v1/items/{external_id}', 'itembridge-api'),
  );
  t.is(request.parentSpanId, '00f067aa0ba902b7');
  const steps = ['advanceItem', 'processImages', 'prepareListing', 'goLive'];
  for (const name of [...steps, 'marketplace commit', 'webhook POST'])
    t.truthy(await until(name, async () => spanOf(name, 'itembridge-worker')));
  const start = await until('start workflow', async () => spanOf('start workflow', 'itembridge-api'));
  t.is(start.parentSpanId, request.spanId);
  const activity = spanOf('goLive', 'itembridge-worker');
  t.is(activity?.parentSpanId, start.spanId, 'the workflow hands on the span that started it');
  t.is(spanOf('marketplace commit', 'itembridge-worker')?.parentSpanId, activity?.spanId);
  const sent = await until('each event of the request was sent in its trace', async () => {
    const found = collector.spans.filter((span) => span.traceId === traceId && span.name === 'webhook POST');
    return found.length >= 3 && found;
  });
  for (const { parentSpanId } of sent) t.is(parentSpanId, request.spanId);
});

async function scrape(which: 'api' | 'worker'): Promise<Exposition> {
  const [listening] = linesOf(which, 'metrics.listening');
  const answer = await fetch(String(listening?.['url']));
  return readExposition(await answer.text());
}

const total = ({ series }: Exposition, start: string): number =>
  [...series].filter(([name]) => name.startsWith(start)).reduce((sum, [, value]) => sum + value, 0);

test('each process shows what it did, by route, step, method and outcome', async (t) => {
  const [api, worker] = await until('the gauges were read', async () => {
    const both = [await scrape('api'), await scrape('worker')] as const;
    return total(both[1], 'itembridge_gauges_read_timestamp_seconds') > 0 && both;
  });
  const put = 'route="/integration/v1/items/{external_id}",method="PUT"';
  t.is(total(api, `itembridge_http_requests_total{${put},status="202"}`), 1);
  t.is(total(api, `itembridge_http_request_duration_seconds_count{${put}}`), 1);
  t.true(total(worker, 'itembridge_activities_total{activity="goLive",outcome="completed"}') >= 1);
  t.true(total(worker, 'itembridge_delivery_attempts_total{outcome="success",attempt="1"}') >= 3);
  t.is(total(worker, 'itembridge_marketplace_calls_total{method="commit",outcome="ok"}'), 1);
  t.true(total(worker, 'itembridge_marketplace_budget_left_ratio{method="commit"}') <= 1);
  t.true(total(worker, 'itembridge_loop_rounds_total{loop="relay"') > 0);
  t.true(total(worker, 'temporal_num_pollers') > 0, "the SDK's own numbers are shown beside ours");
  t.true(total(worker, 'nodejs_eventloop_lag_p99_seconds') >= 0);
});

test('no label holds what there can be any number of', async (t) => {
  const names = [...(await scrape('api')).series, ...(await scrape('worker')).series].map(([name]) => name);
  const { serviceItemId } = await system.status(externalId);
  for (const unbounded of [system.accountId, serviceItemId, `/${externalId}`, requestId])
    t.deepEqual(
      names.filter((name) => name.includes(unbounded)),
      [],
    );
});

test('every metric that an alert or a dashboard names is there after a run', async (t) => {
  const families = new Set([...(await scrape('api')).families.keys(), ...(await scrape('worker')).families.keys()]);
  assertKnown(t, families);
});

function assertKnown(t: ExecutionContext, families: ReadonlySet<string>): void {
  for (const { name, file } of namesInUse())
    t.true(families.has(name) || families.has(familyOf(name)), `${file} names ${name}`);
}
