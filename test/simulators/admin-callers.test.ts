import { text } from 'node:stream/consumers';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import express from 'express';
import test from 'ava';
import { startMailSimulator } from '../../simulators/mail/start-mail-simulator.ts';
import { startSimulator } from '../../simulators/kit/start-simulator.ts';

/** With `node:http`, which sends whatever `Host` it is told. */
function ask(url: string, options: { method: string; headers: OutgoingHttpHeaders; body?: string }) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const call = httpRequest(url, { method: options.method, headers: options.headers }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
    });
    call.on('error', reject);
    call.end(options.body);
  });
}

/** The mails of `npm start` have links to new passwords. */
test('the mailbox is closed to web pages under other names', async (t) => {
  const mail = await startMailSimulator();
  t.teardown(() => mail.close());
  const get = async (path: string, host: string) =>
    (await ask(`${mail.url}${path}`, { method: 'GET', headers: { host } })).status;
  t.deepEqual([await get('/', 'evil.example'), await get('/mails/1', 'evil.example')], [403, 403]);
  t.is(await get('/', new URL(mail.url).host), 200);
});

test('what a proxy does not take for /admin is not the administration', async (t) => {
  const simulator = await startSimulator({ name: 'test', routes: express.Router() });
  t.teardown(() => simulator.close());
  const host = new URL(simulator.url).host;
  for (const path of [
    '/Admin/calls',
    '/ADMIN/calls',
    '/%61dmin/calls',
    '//admin/calls',

    '/admin%2Fcalls',
  ])
    t.is((await ask(`${simulator.url}${path}`, { method: 'GET', headers: { host } })).status, 404, path);
});

const strangers: Readonly<Record<string, OutgoingHttpHeaders>> = {
  'a name that a stranger lets point here (DNS rebinding)': { host: 'attacker.example:4010' },
  'a name with our address in it': { host: '127.0.0.1.attacker.example' },
  'a page of another site': { origin: 'https://attacker.example' },
  'a page without an origin': { origin: 'null' },
};

for (const [who, headers] of Object.entries(strangers))
  test(`the administration of a simulator is closed to web pages: ${who}`, async (t) => {
    const simulator = await startSimulator({ name: 'test', routes: express.Router() });
    t.teardown(() => simulator.close());
    const read = await ask(`${simulator.adminUrl}/calls`, { method: 'GET', headers });
    t.is(read.status, 403, read.body);
    const fault = JSON.stringify({ status: 500, path: '/' });
    const write = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: fault };
    t.is((await ask(`${simulator.adminUrl}/faults`, write)).status, 403);
    for (const host of [new URL(simulator.url).host, 'localhost:1', '[::1]:1'])
      t.is((await ask(`${simulator.adminUrl}/calls`, { method: 'GET', headers: { host } })).status, 200, host);
  });
