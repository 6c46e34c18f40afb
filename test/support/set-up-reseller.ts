import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { composeContext } from '../../compose/context.ts';
import type { Foundation } from '../../compose/foundation.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { connectMember } from '../../features/resellers/connect-member.ts';
import { renameMember } from '../../features/resellers/rename-member.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';
import { registerReseller } from './a-reseller.ts';

export interface ApiMember {
  readonly id: AccountId;
  /** The reseller's reference: value of `X-Partner-Account`, and of `account` in rows and lines. */
  readonly reference: string;
}

export interface ApiReseller {
  readonly id: AccountId;
  readonly apiKey: string;
  readonly members: readonly ApiMember[];
}

/** An account with a reseller agreement, a key and so many members, for callers that go through the API. */
export async function setUpReseller(foundation: Foundation, membersCount: number): Promise<ApiReseller> {
  const { context, close } = composeContext(foundation);
  const { id, slug, scope } = await registerReseller(context);
  const join = async (number: number): Promise<ApiMember> => {
    const member = { id: accountId(randomUUID()), reference: `butik-${number}` };
    await connectMember(context, scopeOf(member.id), { slug });
    await renameMember(context, scope, { memberAccountId: member.id, externalId: member.reference });
    return member;
  };
  const limit = pLimit(8);
  const members = await Promise.all(Array.from({ length: membersCount }, (_, n) => limit(() => join(n + 1))));
  const { apiKey } = await generateApiKey(context, scope, { name: 'ERP' });
  await close();
  return { id, apiKey, members };
}

const scopeOf = (id: AccountId): Scope => ({ accountId: id, actingAccountId: id, credential: { kind: 'system' } });
