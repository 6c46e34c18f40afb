// Publishes events to Outpost over HTTP, each with the body that the product sends.
import { Pool } from 'undici';
import { serveMaker } from './serve-maker.ts';
import { setting } from './serve-parent.ts';
import { createEvents, readRows } from './stored-rows.ts';

const { newEvents } = createEvents(readRows());
const pool = new Pool(setting('BENCH_OUTPOST_URL'), { connections: 64 });
const headers = { 'content-type': 'application/json', authorization: `Bearer ${setting('BENCH_OUTPOST_KEY')}` };

serveMaker(async (tenant, count, begin) => {
  const publish = async ({ eventId, body }: ReturnType<typeof newEvents>[number]): Promise<void> => {
    begin(eventId);
    const event = `{"id":"${eventId}","tenant_id":"${tenant}","topic":"item.created","data":${body.toString()}}`;
    const answer = await pool.request({ method: 'POST', path: '/api/v1/publish', headers, body: event });
    const text = await answer.body.text();
    if (answer.statusCode !== 202) throw new Error(`Outpost answered ${answer.statusCode}: ${text}`);
  };
  await Promise.all(newEvents(count).map(publish));
});
