import test from 'ava';
import { ItembridgeError } from '../../client/itembridge-error.ts';
import { openSession } from '../../client/open-session.ts';

const connection = { baseUrl: 'http://service.test', email: 'a@example.se', password: 'x' };
/** After it a token is replaced. */
const elevenMinutes = 11 * 60_000;

/** Signs in with a new token each time; a refresh meets what the test says. */
function aService(refresh: () => Response) {
  const asked: string[] = [];
  const answer = (request: Request): Response => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname === '/auth/refresh') return refresh();
    return Response.json(
      { accessToken: `token ${asked.length}` },
      { headers: { 'set-cookie': 'refresh_token=r; Path=/' } },
    );
  };
  const send: typeof fetch = (input, init) =>
    new Promise((resolve) => {
      resolve(answer(new Request(input, init)));
    });
  return { asked, fetch: send };
}

test('a session whose renewal was lost or refused goes on, because it signs in again', async (t) => {
  const lost = (): never => {
    throw new TypeError('fetch failed');
  };
  const refused = (): Response => Response.json({ error: 'Signed out', code: 'UNAUTHORIZED' }, { status: 401 });
  for (const refresh of [lost, refused]) {
    let nowMs = 0;
    const service = aService(refresh);
    const session = await openSession({ ...connection, fetch: service.fetch }, () => nowMs);
    const first = await session.token();
    nowMs = elevenMinutes;
    t.not(await session.token(), first);
    t.deepEqual(service.asked, ['/auth/login', '/auth/refresh', '/auth/login']);
  }
});

test('another refusal of the renewal is told', async (t) => {
  const service = aService(() => Response.json({ error: 'No', code: 'FORBIDDEN' }, { status: 403 }));
  let nowMs = 0;
  const session = await openSession({ ...connection, fetch: service.fetch }, () => nowMs);
  nowMs = elevenMinutes;
  await t.throwsAsync(session.token(), { instanceOf: ItembridgeError });
});

for (const name of ['refresh_token', '__Host-refresh_token'])
  test(`a session is renewed by the cookie ${name}, and by no other`, async (t) => {
    const sent: (string | null)[] = [];
    const send: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith('/auth/refresh')) sent.push(request.headers.get('cookie'));
      const headers = new Headers([
        ['set-cookie', `${name}=r; Path=/`],
        ['set-cookie', `device=d; Path=/`],
      ]);
      return Promise.resolve(Response.json({ accessToken: 'token' }, { headers }));
    };
    let nowMs = 0;
    const session = await openSession({ ...connection, fetch: send }, () => nowMs);
    nowMs = elevenMinutes;
    await session.token();
    t.deepEqual(sent, [`${name}=r`]);
  });
