import test from 'ava';
import { routes } from '../../api/routes.ts';
import { withApiWorld } from '../support/api-world.ts';
import { limitOf, limitsOn } from '../support/with-limits.ts';

const health = new Set(['/healthz', '/readyz']);
const world = withApiWorld(test);
const withLimits = limitsOn(world);
const policyForm = /^"[a-z-]+";q=[1-9]\d*;w=[1-9]\d*$/;
const limitForm = /^"[a-z-]+";r=\d+;t=[1-9]\d*$/;

// specification: ratelimit-and-ratelimit-policy
test('every answer says how things stand with its limit, whatever it is and whoever asks; health never does', async (t) => {
  await withLimits({}, async (limited) => {
    const { token, apiKey } = await world().account();
    const callers = [
      {},
      { token },
      { apiKey },
      { apiKey: 'sk_live_wrong' },
      { apiKey, headers: { 'x-partner-account': 'x' } },
    ];
    for (const { method, path } of routes) {
      const target = path.replaceAll(/\{\w+\}/g, 'abc');
      for (const caller of callers) {
        const reply = await limited.call(method.toUpperCase(), target, {
          ...caller,
          ...(method !== 'get' && { raw: '{' }),
        });
        const what = `${method} ${path} → ${String(reply.status)}`;
        if (health.has(path)) t.is(limitOf(reply), null, what);
        else {
          t.regex(reply.headers.get('ratelimit-policy') ?? '', policyForm, what);
          t.regex(limitOf(reply) ?? '', limitForm, what);
        }
      }
    }
    const others = ['/', '/docs/', '/dashboard', '/openapi.json', '/nowhere', '/integration/v1/items/%zz'];
    for (const path of others) t.regex(limitOf(await limited.call('GET', path)) ?? '', limitForm, path);
    t.regex(limitOf(await limited.call('DELETE', '/categories')) ?? '', limitForm);
  });
});
