import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const read = async (token: string) => (await world().call('GET', '/integration/webhook-settings', { token })).body;
const setUrl = (token: string, webhookUrl: unknown) =>
  world().call('PUT', '/integration/webhook-settings', { token, body: { webhookUrl } });
const fullSecret = /^whsec_[A-Za-z0-9+/]{43}=$/;

// specification: settings-webhookurl-or-null
test('read 200: a secret is made and shown in full once, masked from then on', async (t) => {
  const { token } = await world().account();
  const isShown = async () => (await world().call('GET', '/integration/webhooks', { token })).body.accountSecretShown;
  t.false(await isShown());
  const first = await read(token);
  t.is(first.webhookUrl, null);
  t.regex(first.webhookSecret, fullSecret);
  t.true(await isShown());
  const second = await read(token);
  t.true(second.webhookSecret.startsWith('whsec_'));
  t.notRegex(second.webhookSecret, fullSecret);
});

test('read 200: of many first readers at once, one sees the secret', async (t) => {
  const { token } = await world().account();
  const answers = await Promise.all(Array.from({ length: 10 }, () => read(token)));
  t.is(answers.filter((answer) => fullSecret.test(answer.webhookSecret)).length, 1);
  t.is(new Set(answers.map((answer) => answer.webhookSecret.slice(-4))).size, 1);
});

test('the host that is called is shown where the address writes it otherwise, of the account’s URL and of endpoints', async (t) => {
  const { token } = await world().account();
  const called: readonly (readonly [string, string | undefined])[] = [
    ['https://bücher.example/hook', 'xn--bcher-kva.example'],
    ['https://аpple.example/hook', 'xn--pple-43d.example'],
    ['https://BÜCHER.example:8443/', 'xn--bcher-kva.example:8443'],
    ['https://faß.example/', 'xn--fa-hia.example'],
    ['https://erp。example/', 'erp.example'],
    ['https://b%C3%BCcher.example/', 'xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example/hook', undefined],
    ['https://ERP.Example/å', undefined],
    ['https://erp.example:443/', undefined],
  ];
  for (const [url, calledHost] of called) {
    t.is((await setUrl(token, url)).status, 200, url);
    const settings = await read(token);
    t.deepEqual([settings.webhookUrl, settings.calledHost], [url, calledHost]);
    const made = await world().call('POST', '/integration/webhooks', { token, body: { url } });
    t.deepEqual([made.body.url, made.body.calledHost], [url, calledHost]);
    const { body } = await world().call('GET', `/integration/webhooks/${made.body.id}`, { token });
    t.is(body.calledHost, calledHost);
    const { secretHint: _hint, ...again } = body;
    const sentBack = await world().call('PATCH', `/integration/webhooks/${body.id}`, { token, body: again });
    t.is(sentBack.status, 200, sentBack.text);
  }
  await setUrl(token, null);
  t.false('calledHost' in (await read(token)));
});

// specification: settings-put-null-removes
test('set 200: the URL, and null removes it; the secret is still shown to its first reader', async (t) => {
  const { token } = await world().account();
  const reply = await setUrl(token, 'https://erp.example.se/all');
  t.is(reply.status, 200);
  t.deepEqual(reply.body, { success: true });
  const shown = await read(token);
  t.is(shown.webhookUrl, 'https://erp.example.se/all');
  t.regex(shown.webhookSecret, fullSecret);
  await setUrl(token, null);
  t.is((await read(token)).webhookUrl, null);
});

// specification: settings-the-rotated-secret
test('rotate 200: a new secret in full, the URL stays; also before there was any', async (t) => {
  const { token } = await world().account();
  const rotate = async () =>
    (await world().call('POST', '/integration/webhook-settings/rotate-secret', { token })).body;
  const first = await rotate();
  t.is(first.webhookUrl, null);
  await setUrl(token, 'https://erp.example.se/all');
  const second = await rotate();
  t.is(second.webhookUrl, 'https://erp.example.se/all');
  t.regex(second.webhookSecret, fullSecret);
  t.not(second.webhookSecret, first.webhookSecret);
  t.notRegex((await read(token)).webhookSecret, fullSecret);
});
