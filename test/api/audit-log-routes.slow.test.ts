import test from 'ava';
import { routes } from '../../api/routes.ts';
import { withApiWorld } from '../support/api-world.ts';
import { auditSteps, ok } from '../support/audit-steps.ts';
import { consentingLogin } from '../support/consenting-login.ts';
import { writeExamples } from '../support/write-examples.ts';

const world = withApiWorld(test, { sendsMail: true, replace: () => ({ login: consentingLogin }) });
const { log } = auditSteps(world);

const examples = writeExamples(world);

/** Routes that write nothing an account would ask for, or whose entries are shown elsewhere, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'post /categories/convert': 'reads only',
  ...Object.fromEntries(
    ['items/{external_id}/sell', 'items/{external_id}/end', 'orders/{id}/pay'].map((action) => [
      `post /integration/v1/sandbox/${action}`,
      'a buyer at the simulated marketplace: what follows stands in the log as of the marketplace, see sandbox.test.ts',
    ]),
  ),
  'post /auth/register': 'no account yet to call it with: see the test of sessions below',
  'post /auth/login': 'see the test of sessions below',
  'post /auth/password/forgotten': 'by anybody, for any address: what it leads to is password_reset',
  'post /auth/password/reset': 'needs the link of a mail: password_reset, see forgotten-password.test.ts',
  'post /auth/email/verification': 'sends a mail again; what it leads to is email_confirmed',
  'post /auth/access/revoke':
    'needs the link of a mail: an entry for each thing taken back, see revoked-access.test.ts',
  'post /auth/email/confirm': 'needs the link of a mail: email_confirmed and email_changed, see account-email.test.ts',
  'post /partner/marketplace-connection/login': 'begins only: what it leads to is marketplace_connected',
  'post /auth/refresh': 'a refresh every 15 minutes tells nobody anything; its misuse does: session_reuse_detected',
  'post /auth/logout': 'see the test of sessions below',
  'post /partner/subscription/checkout': 'needs a payment processor: checkout_started, tested with the subscription',
  'post /stripe/webhook': 'signed by the payment processor: subscription_changed, tested with the subscription',
};

for (const route of routes) {
  const name = `${route.method} ${route.path}`;
  if (route.method === 'get' || exceptions[name] !== undefined) continue;
  // specification: every-call-that-changes
  test(`${name}: what it did stands in the log, with who did it and the id of the request`, async (t) => {
    const example = examples[name];
    if (example === undefined)
      return t.fail('a route that changes something needs an example here, or a reason why not');
    const account = await world().account();
    const { path, ...options } = await example.call(account);
    const reply = await ok(world().call(route.method.toUpperCase(), path, options));
    const { entries } = await log(account.token);
    const entry = entries.find(({ kind }: { kind: string }) => kind === example.leaves);
    t.like(entry, {
      kind: example.leaves,
      userId: account.id,
      requestId: reply.headers.get('x-request-id'),
      actor: { kind: route.credential === 'api-key' ? 'api_key' : 'dashboard', userId: account.id },
    });
  });
}

// specification: every-call-that-changes
test('no route is both an example and an exception, and none is gone', (t) => {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const named = [...Object.keys(examples), ...Object.keys(exceptions)];
  t.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
  t.is(new Set(named).size, named.length);
});

test('the secret of the webhook URL stands in the log once when it is made, by reading or by setting the URL', async (t) => {
  const call = ({ token }: { token: string }, body?: object) =>
    world().call(body === undefined ? 'GET' : 'PUT', '/integration/webhook-settings', { token, body });
  for (const body of [undefined, { webhookUrl: 'https://erp.example.se/hooks' }]) {
    const account = await world().account();
    await Promise.all([call(account, body), call(account, body), call(account)]);
    const { entries } = await log(account.token);
    t.is(entries.filter(({ kind }: { kind: string }) => kind === 'webhook_url_secret_generated').length, 1);
  }
});
