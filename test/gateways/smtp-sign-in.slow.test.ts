import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { SMTPServer } from 'smtp-server';
import { programArguments } from '../../embedded/program-arguments.ts';
import { createAuthority } from './support/certificates.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const [user, password] = ['itembridge', 'smtp-secret-4711'];

/** A server with a certificate that takes mails after a sign-in only, and what it saw. */
async function aServer(t: ExecutionContext, { secure }: { readonly secure: boolean }) {
  const authority = await createAuthority();
  const authorityFile = join(temporaryFolder('smtp'), 'ca.pem');
  writeFileSync(authorityFile, authority.pem);
  const seen: { signIns: (string | null | undefined)[]; mails: { isEncrypted: boolean; text: string }[] } = {
    signIns: [],
    mails: [],
  };
  const server = new SMTPServer({
    ...(await authority.issue(['127.0.0.1'])),
    secure,
    logger: false,
    disableReverseLookup: true,
    onAuth: ({ username, password: given }, _session, callback) => {
      seen.signIns.push(given);
      if (username === user && given === password) callback(null, { user });
      else callback(Object.assign(new Error('5.7.8 wrong'), { responseCode: 535 }));
    },
    onData: (stream, session, callback) => {
      buffer(stream).then((bytes) => {
        seen.mails.push({ isEncrypted: session.secure, text: bytes.toString() });
        callback();
      }, callback);
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const url = `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${String((listening.address() as AddressInfo).port)}`;
  return { seen, send: (change: Sending = {}) => send({ url, authorityFile, ...change }) };
}

type Sending = { readonly given?: string; readonly isTrusted?: boolean };

/** In a process of its own, because Node reads whom it trusts at its start. */
async function send({
  url,
  authorityFile,
  given = password,
  isTrusted = true,
}: Sending & { readonly url: string; readonly authorityFile: string }): Promise<string> {
  const settings = { url, user, password: given, from: 'itembridge <no-reply@itembridge.example>', timeoutMs: 20_000 };
  const program = [...programArguments('test/gateways/support/mail-process.ts'), JSON.stringify(settings)];
  const env = { ...process.env, ...(isTrusted && { NODE_EXTRA_CA_CERTS: authorityFile }) };
  return (await promisify(execFile)(process.execPath, program, { env })).stdout.trim();
}

for (const secure of [false, true]) {
  const way = secure ? 'smtps' : 'STARTTLS';

  test(`${way}: a mail is sent after a sign-in, encrypted; a wrong password is for the operator`, async (t) => {
    const { seen, send } = await aServer(t, { secure });
    t.is(await send(), 'sent');
    t.like(seen.mails[0], { isEncrypted: true });
    t.regex(seen.mails[0]?.text ?? '', /Auto-Submitted: auto-generated/);
    t.is(await send({ given: 'wrong' }), 'misconfigured');
    t.deepEqual(seen.signIns, [password, 'wrong']);
    t.is(seen.mails.length, 1);
  });

  test(`${way}: a server whose certificate nobody vouches for gets no password`, async (t) => {
    const { seen, send } = await aServer(t, { secure });
    t.is(await send({ isTrusted: false }), 'misconfigured');
    t.deepEqual(seen.signIns, []);
  });
}
