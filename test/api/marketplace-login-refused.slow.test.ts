import test from 'ava';
import { LoginRefused, type MarketplaceLogin } from '../../gateways/marketplace/port.ts';
import { isError, startApiWorld } from '../support/api-world.ts';

const path = '/partner/marketplace-connection';

/** The marketplace refuses so often before it gives the token. */
function startRefusing(times: number, { isUnknownUser }: { isUnknownUser: boolean }) {
  let tries = 0;
  const login: MarketplaceLogin = {
    pageUrl: (_secret, { login: id }) => `https://marketplace.example/?login=${id ?? ''}`,
    fetchToken: () =>
      (tries += 1) > times
        ? Promise.resolve({ token: 'a-token', expiresAt: null })
        : Promise.reject(new LoginRefused('not yet', { isUnknownUser })),
    close: () => Promise.resolve(),
  };
  return startApiWorld({ replace: () => ({ login }) });
}

async function completed(world: Awaited<ReturnType<typeof startRefusing>>) {
  const { token } = await world.account();
  const begun = await world.call('POST', `${path}/login`, { token });
  const login = new URL(begun.body.url).searchParams.get('login');
  return world.call('POST', `${path}/login/complete`, { token, body: { login, marketplaceUserId: '4711' } });
}

test('a consent that the marketplace knows of some seconds later is waited for', async (t) => {
  const world = await startRefusing(2, { isUnknownUser: true });
  t.like(await completed(world), { status: 200, body: { state: 'connected' } });
  await world.close();
});

test('a user who never consented is a conflict; a marketplace out of reach is told as that', async (t) => {
  const refusing = await startRefusing(100, { isUnknownUser: true });
  isError(t, await completed(refusing), { status: 409, code: 'CONFLICT' });
  await refusing.close();
  const silent = await startRefusing(100, { isUnknownUser: false });
  isError(t, await completed(silent), { status: 503, code: 'UNAVAILABLE' });
  await silent.close();
});
