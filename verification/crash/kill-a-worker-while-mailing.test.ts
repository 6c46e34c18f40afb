import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startMailSimulator, type RunningMailSimulator } from '../../simulators/mail/start-mail-simulator.ts';
import { until } from '../../test/support/until.ts';
import { callAdmin } from '../../test/support/world.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
let mail: RunningMailSimulator;
test.before(async () => {
  mail = await startMailSimulator();
  system = await startSystem({ SMTP_URL: mail.smtpUrl, MAIL_FROM: 'itembridge@example.se' });
});
test.after.always(async () => {
  await system?.stop();
  await mail?.close();
});

const post = async (path: string, body: object): Promise<number> =>
  (
    await fetch(`${system.apiUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).status;
const subjectsTo = async (email: string): Promise<string[]> => {
  const url = `${mail.adminUrl}/mails?to=${encodeURIComponent(email)}`;
  return (await callAdmin<{ mails: { subject: string }[] }>(url)).mails.map(({ subject }) => subject);
};

test('worker and API are killed while a mail is under way and another was just asked for: both arrive', async (t) => {
  t.timeout(180_000);
  const email = `${randomUUID()}@example.se`;
  await callAdmin(`${mail.adminUrl}/faults`, 'POST', { method: 'MAIL', mode: 'delay', delayMs: 600_000 });
  t.is(await post('/auth/register', { email, password: 'correct horse battery', name: 'Lager AB' }), 201);
  await until('the mail is under way', async () => {
    const { calls } = await callAdmin<{ calls: { method: string }[] }>(`${mail.adminUrl}/calls`);
    return calls.some(({ method }) => method === 'MAIL');
  });
  t.is(await post('/auth/password/forgotten', { email }), 202);
  await Promise.all([system.api.kill9(), system.worker.kill9()]);
  t.deepEqual(await subjectsTo(email), [], 'the kill came before anything was sent');
  await callAdmin(`${mail.adminUrl}/faults`, 'DELETE');
  const startedAt = Date.now();
  await Promise.all([system.api.start(), system.worker.start()]);
  const both = ['Bekräfta din e-postadress', 'Välj ett nytt lösenord'];
  await until('both are there', async () => (await subjectsTo(email)).toSorted().join() === both.join());
  t.log(`both arrived ${Date.now() - startedAt} ms after the start`);
});
