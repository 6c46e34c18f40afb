import { randomUUID } from 'node:crypto';
import { grantResellerAgreement } from '../../../features/resellers/agreements.ts';
import type { ApiWorld, CallOptions, Reply, TestAccount } from '../../../test/support/api-world.ts';
import { sendDueMails, tokenIn } from '../../../test/support/sent-mails.ts';
import { canary } from './traces.ts';

export interface Reseller extends TestAccount {
  readonly slug: string;
}

/** Calls that must succeed: what is being set up, not what is tested. */
export async function must(world: ApiWorld, request: string, options: CallOptions): Promise<Reply> {
  const [method = '', path = ''] = request.split(' ');
  const reply = await world.call(method, path, options);
  if (reply.status >= 300) throw new Error(`${request} was answered ${reply.status}: ${reply.text}`);
  return reply;
}

/** An account whose name is a canary. */
export const aPerson = (world: ApiWorld): Promise<TestAccount> => world.account(`${canary()} AB`);

/** With a confirmed address, an agreement and a page; its slug is a canary. */
export async function aReseller(world: ApiWorld): Promise<Reseller> {
  const person = await aPerson(world);
  const welcome = (await sendDueMails(world)).find(({ to }) => to === person.email);
  await must(world, 'POST /auth/email/confirm', { body: { token: tokenIn(welcome) } });
  const slug = canary();
  const context = { store: world.store, now: world.now, newId: randomUUID };
  await grantResellerAgreement(context, { email: person.email, commissionBps: 250, slug });
  return { ...person, slug };
}

/** The account becomes the reseller's member under the reference that is returned. */
export async function join(world: ApiWorld, reseller: Reseller, member: TestAccount): Promise<string> {
  await must(world, `POST /p/${reseller.slug}/connect`, { token: member.token });
  const reference = canary();
  await must(world, `PUT /business/my-profile/connections/${member.id}`, {
    token: reseller.token,
    body: { externalId: reference },
  });
  return reference;
}

export const leave = (world: ApiWorld, member: TestAccount): Promise<unknown> =>
  must(world, 'DELETE /business/my-deal', { token: member.token });

/** The same account with a session that has just begun. */
export async function signIn<Account extends TestAccount>(world: ApiWorld, account: Account): Promise<Account> {
  const { email, password } = account;
  const { body } = await must(world, 'POST /auth/login', { body: { email, password } });
  return { ...account, token: body.accessToken };
}

/** The refresh token of a session of its own. */
export async function aRefreshToken(world: ApiWorld, { email, password }: TestAccount): Promise<string> {
  const { headers } = await must(world, 'POST /auth/login', { body: { email, password } });
  const cookie = headers.getSetCookie().find((one) => one.startsWith('refresh_token='));
  return /^refresh_token=([^;]*)/.exec(cookie ?? '')?.[1] ?? '';
}
