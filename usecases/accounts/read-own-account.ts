import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { findAccount, findAccountNames } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findCurrentDeal } from '../../store/resellers/deals.ts';
import { findProfile } from '../../store/resellers/profiles.ts';
import type { Context } from '../context.ts';
import { describeAccount, type AccountView } from './describe-session.ts';

/** Somebody's page under `/p/{slug}`. */
export interface PageView {
  /** null when there is no page. */
  readonly slug: string | null;
  readonly displayName: string;
}

export interface OwnAccount extends AccountView {
  /** Is shown where the work of items is in the workflow engine. */
  readonly isOperator: boolean;
  /** The account's own page as a reseller; null when it is none. */
  readonly reseller: PageView | null;
  /** The reseller whose member the account is; null when it is nobody's. */
  readonly memberOf: PageView | null;
}

/** Who is signed in, and what there is for them. Throws {@link Refusal} UNAUTHORIZED when the account behind a still valid token is gone. */
export async function readOwnAccount({ store }: Pick<Context, 'store'>, scope: Scope): Promise<OwnAccount> {
  const account = scope.actingAccountId;
  const [row, deal] = await Promise.all([findAccount(store, account), findCurrentDeal(store, account)]);
  if (row === null) throw new Refusal('UNAUTHORIZED', 'The account of this session does not exist');
  const resellerOf = deal?.kind === 'sub_account' ? deal.resellerAccountId : null;
  const [reseller, memberOf] = await Promise.all([
    deal?.kind === 'reseller_agreement' ? describePage(store, account) : null,
    resellerOf === null ? null : describePage(store, resellerOf),
  ]);
  return { ...describeAccount(row), isOperator: row.operator === true, reseller, memberOf };
}

async function describePage(store: StoreConnection, account: AccountId): Promise<PageView> {
  const [profile, names] = await Promise.all([findProfile(store, account), findAccountNames(store, [account])]);
  return { slug: profile?.slug ?? null, displayName: profile?.displayName ?? names.get(account) ?? '' };
}
