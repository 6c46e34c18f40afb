import test, { type ExecutionContext } from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { createHttpsWebhookSender } from '../../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import type { ResolveAll } from '../../platform/resolve-names.ts';
import { isAllowedAddress, isAllowedHost } from '../../platform/public-address-guard.ts';
import { readNewWebhook, readWebhookSettingsChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import { checkTargetUrl } from '../../features/webhooks/webhook-target.ts';
import { localCertificate, startHttps } from '../gateways/support/local-server.ts';
import { allowedHosts, longestUrl, refusedCases, refusedUrls, type OutboundCase } from '../support/outbound-cases.ts';

const strict = { allowPrivateNetworks: false };
const relaxed = { allowPrivateNetworks: true };

/** What registering the URL answers, both as an endpoint's and as the account's; null when it is taken. */
function problemOf(url: string, policy = strict): string | null {
  const messages = [
    () => checkTargetUrl(readNewWebhook({ url }).url, 'url', policy),
    () => checkTargetUrl(readWebhookSettingsChange({ webhookUrl: url }).webhookUrl, 'webhookUrl', policy),
  ].map((register) => {
    try {
      register();
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error.details?.map(({ message }) => message).join('; ') ?? error.message;
      throw error;
    }
  });
  if (messages[0] !== messages[1]) throw new Error(`two answers for ${url}: ${messages.join(' / ')}`);
  return messages[0] ?? null;
}

const answering = (addresses: readonly string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const withPort = (text: string, port: number): string => {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.port = String(port);
  return url.href;
};

async function aSender(t: ExecutionContext, options: { resolveAll: ResolveAll; allowPrivateNetworks?: boolean }) {
  const { authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: false, authorities: authority.pem, ...options });
  t.teardown(() => agent.destroy());
  const sender = createHttpsWebhookSender({ agent, timeoutMs: 10_000 });
  return (url: string) => sender.send({ url, body: Buffer.from('{}'), headers: {} });
}

async function aServer(t: ExecutionContext) {
  const server = await startHttps((_request, response) => response.end('reached'));
  t.teardown(() => server.close());
  return server;
}

/** Whether the policy of a machine that tries itself out would connect; asked, not done: most of these belong to others. */
function isLetInByRelaxed({ url, resolvesTo }: OutboundCase): boolean {
  if (problemOf(url, relaxed) !== null) return false;
  if (!isAllowedHost(new URL(url).hostname, relaxed)) return false;
  return (
    resolvesTo === undefined || (resolvesTo.length > 0 && resolvesTo.every((one) => isAllowedAddress(one, relaxed)))
  );
}

// specification: webhook-urls-reach-public
test('no spelling of an address that is not public is registered or connected to, and the log says no more than that', async (t) => {
  const server = await aServer(t);
  let answers: readonly string[] | undefined;
  const send = await aSender(t, {
    resolveAll: (hostname, done) => {
      if (answers === undefined) throw new Error(`${hostname} was looked up although it is no name`);
      done(null, answering(answers));
    },
  });
  for (const one of refusedCases) {
    answers = one.resolvesTo;
    const outcome = await send(withPort(one.url, server.port));
    t.is(outcome.kind === 'failed' ? outcome.error : 'it was sent', one.whenConnecting, one.url);
    t.is(problemOf(one.url) === null ? 'accepted' : '422', one.whenRegistered, one.url);
    t.is(isLetInByRelaxed(one) ? 'let in' : 'refused', one.withPrivateNetworks, one.url);
  }
  t.is(server.connections().accepted, 0);
  t.true(refusedCases.length > 120);
});

// specification: webhook-urls-reach-public
test('public addresses, names and any port are registered, right up to the edges of what is refused', (t) => {
  for (const host of allowedHosts) t.is(problemOf(`https://${host}/hook?a=1`), null, host);
});

test('a URL with credentials, a fragment, blanks or more than 2,048 characters is refused, and the message says why', (t) => {
  for (const [url, message] of refusedUrls) t.is(problemOf(url), message, url.slice(0, 80));
  t.is(longestUrl.length, 2_048);
  t.is(problemOf(longestUrl), null);
});

// specification: webhook-urls-reach-public
test('DNS that changes its answer: each connection goes where its own look-up said, and only there', async (t) => {
  const server = await aServer(t);
  const script = [['127.0.0.1'], ['169.254.169.254'], ['8.8.8.8', '169.254.169.254']];
  let lookups = 0;
  const send = await aSender(t, {
    allowPrivateNetworks: true,
    resolveAll: (_hostname, done) => done(null, answering(script[lookups++] ?? ['169.254.169.254'])),
  });
  const url = `https://partner.example:${server.port}/`;
  // Had the name been looked up again between check and connection, the second answer would have come.
  t.is((await send(url)).kind, 'succeeded');
  t.is(lookups, 1);
  t.is(server.connections().accepted, 1);
  await server.close();
  for (const expected of [2, 3]) {
    const outcome = await send(url);
    t.is(outcome.kind === 'failed' && outcome.error, 'address is not public');
    t.is(lookups, expected);
  }
});

test('a name whose DNS fails or never answers is a failed attempt that ends in time', async (t) => {
  const failing = await aSender(t, {
    resolveAll: (_hostname, done) => done(Object.assign(new Error('queryA'), { code: 'EAI_AGAIN' }), []),
  });
  const failed = await failing('https://partner.example/');
  t.is(failed.kind === 'failed' && failed.error, 'host name could not be looked up');
  const { authority } = await localCertificate();
  const agent = createGuardedAgent({ ...strict, authorities: authority.pem, resolveAll: () => undefined });
  t.teardown(() => agent.destroy());
  const sender = createHttpsWebhookSender({ agent, timeoutMs: 300 });
  const hung = await sender.send({ url: 'https://partner.example/', body: Buffer.from('{}'), headers: {} });
  t.is(hung.kind === 'failed' && hung.error, 'did not answer within 0.3 seconds');
});

test('a redirect to a private address leads nowhere', async (t) => {
  const target = await aServer(t);
  const server = await startHttps((_request, response) => response.writeHead(307, { location: target.url }).end());
  t.teardown(() => server.close());
  const send = await aSender(t, {
    allowPrivateNetworks: true,
    resolveAll: (_hostname, done) => done(null, answering(['127.0.0.1'])),
  });
  const outcome = await send(`https://partner.example:${server.port}/`);
  t.is(outcome.kind === 'failed' && outcome.error, 'HTTP 307: redirects are not followed');
  t.is(target.connections().accepted, 0);
});
