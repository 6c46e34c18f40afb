import { randomUUID } from 'node:crypto';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { Context } from '../../features/context.ts';
import { grantResellerAgreement } from '../../features/resellers/agreements.ts';
import { requireSoundWebhooks } from './sound-webhooks.ts';
import { webhookSecretsOf } from './webhook-secrets.ts';
import { callAdmin, type ReceivedWebhook, type TestAccount, type World } from './world.ts';
import { registerAccount } from '../../features/accounts/log-in.ts';
import { createWebhookOnce } from '../../features/webhooks/register-webhook.ts';
import { connectMember } from '../../features/resellers/connect-member.ts';
import { renameMember } from '../../features/resellers/rename-member.ts';

export interface TestReseller {
  readonly scope: Scope;
  readonly secret: string;
  /** The account becomes its member under that reference. */
  takeIn(member: TestAccount, reference: string): Promise<void>;
  /** What its members-scope endpoint got, oldest first; throws unless all of it is sound. */
  received(): Promise<ReceivedWebhook[]>;
}

/** An account with a reseller agreement, under whose slug others can join. */
export async function registerReseller(
  context: Context,
): Promise<{ readonly id: AccountId; readonly slug: string; readonly scope: Scope }> {
  const email = `${randomUUID()}@example.se`;
  const person = { email, name: 'Återförsäljaren AB', password: 'correct horse battery' };
  const caller = { address: '127.0.0.1', requestId: randomUUID() };
  const id = accountId((await registerAccount(context, caller, person)).session.account.id);
  const slug = `r-${randomUUID().slice(0, 13)}`;
  await grantResellerAgreement(context, { email, commissionBps: 250, slug });
  return { id, slug, scope: { accountId: id, actingAccountId: id, credential: { kind: 'system' } } };
}

/** An account with a reseller agreement and a members-scope endpoint for everything. */
export async function aReseller({ foundation, context, receiver }: World): Promise<TestReseller> {
  const { id, slug, scope } = await registerReseller(context);
  const url = `${receiver.url}/hooks/${id}`;
  const hook = await createWebhookOnce(context, scope, { url, eventTypes: [], scope: 'members', description: '' });
  const readSecrets = webhookSecretsOf(foundation, id);
  return {
    scope,
    secret: hook.secret,
    takeIn: async (member, reference) => {
      await connectMember(context, member.scope, { slug });
      await renameMember(context, scope, { memberAccountId: member.id, externalId: reference });
    },
    received: async () => {
      const answer = await callAdmin<{ received: ReceivedWebhook[] }>(
        `${receiver.adminUrl}/received?path=/hooks/${id}`,
      );
      const secrets = await readSecrets();
      requireSoundWebhooks(answer.received, () => secrets);
      return answer.received;
    },
  };
}
