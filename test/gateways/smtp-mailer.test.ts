import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { MailNotSent, type MailProblem } from '../../gateways/mail/port.ts';
import { createSmtpMailer } from '../../gateways/mail/smtp-mailer.ts';
import { startMailSimulator, type RunningMailSimulator } from '../../simulators/mail/start-mail-simulator.ts';
import { call } from '../simulators/support/call.ts';

let simulator: RunningMailSimulator;
test.before(async () => {
  simulator = await startMailSimulator();
});
test.after.always(() => simulator.close());

const password = 'smtp-secret-4711';
const mailer = (changes: object = {}) =>
  createSmtpMailer({
    url: simulator.smtpUrl,
    user: '',
    password: '',
    from: 'itembridge <no-reply@itembridge.example>',
    timeoutMs: 60_000,
    ...changes,
  });

const aMail = (to = `${randomUUID()}@example.se`) => ({
  to,
  subject: 'Återställ ditt lösenord',
  text: 'Hej!\n\nhttps://api.test/x?a=1&b=2#token=åäö\n',
  messageId: `${randomUUID()}@itembridge`,
});

interface Taken {
  readonly mails: readonly { from: string; subject: string; text: string; headers: Record<string, string> }[];
}
const mailsTo = async (to: string): Promise<Taken> =>
  (await call('GET', `${simulator.adminUrl}/mails?to=${encodeURIComponent(to)}`)).json<Taken>();

/** A fault that meets the mails to one address only. */
const fault = async (t: ExecutionContext, to: string, body: object) => {
  const path = to.replaceAll('.', '[.]');
  t.is((await call('POST', `${simulator.adminUrl}/faults`, { body: { method: 'MAIL', path, ...body } })).status, 201);
};

async function failsAs(t: ExecutionContext, sending: Promise<void>, problem: MailProblem) {
  const error = await t.throwsAsync(sending, { instanceOf: MailNotSent });
  t.is(error.problem, problem, error.message);
  t.notRegex(error.message, /@|secret/);
}

test('a mail arrives with its letters, its link and a mark that no answer is wanted', async (t) => {
  const mail = aMail();
  await mailer().send(mail);
  const [taken, ...others] = (await mailsTo(mail.to)).mails;
  t.deepEqual(others, []);
  t.like(taken, { from: 'no-reply@itembridge.example', subject: mail.subject });
  t.is(taken?.text.trim(), mail.text.trim());
  t.like(taken?.headers, { 'auto-submitted': 'auto-generated', 'message-id': `<${mail.messageId}>` });
});

test('an answer 4xx postpones, an answer 5xx refuses, and neither says what the server said', async (t) => {
  const [later, never] = [aMail(), aMail()];
  await fault(t, later.to, { mode: 'status', status: 451 });
  await fault(t, never.to, { mode: 'status', status: 550 });
  await failsAs(t, mailer().send(later), 'postponed');
  await failsAs(t, mailer().send(never), 'refused');
});

test('a server that is slow, that drops the connection, or that is not there, is told apart', async (t) => {
  const [slow, dropped, lost] = [aMail(), aMail(), aMail()];
  await fault(t, slow.to, { mode: 'delay', delayMs: 5_000 });
  await fault(t, dropped.to, { mode: 'drop-before' });
  await fault(t, lost.to, { mode: 'drop-after' });
  await failsAs(t, mailer({ timeoutMs: 60 }).send(slow), 'timeout');
  await failsAs(t, mailer().send(dropped), 'unreachable');
  await failsAs(t, mailer().send(lost), 'unreachable');
  t.is((await mailsTo(lost.to)).mails.length, 1);
  await failsAs(t, mailer({ url: 'smtp://127.0.0.1:9' }).send(aMail()), 'unreachable');
});

test('a password is never sent to a server without encryption', async (t) => {
  await failsAs(t, mailer({ user: 'itembridge', password }).send(aMail()), 'misconfigured');
});

test('one address is one recipient, whatever it holds', async (t) => {
  const other = `${randomUUID()}@example.se`;
  await t.throwsAsync(mailer().send(aMail(`a@example.se, ${other}`)), { instanceOf: MailNotSent });
  t.deepEqual((await mailsTo(other)).mails, []);
});
