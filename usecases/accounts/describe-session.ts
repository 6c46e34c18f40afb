import type { AccountRow } from '../../store/accounts/accounts.ts';

export interface AccountView {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface Session {
  readonly accessToken: string;
  readonly account: AccountView;
}

export const describeAccount = (row: AccountRow): AccountView => ({ id: row._id, email: row.email, name: row.name });
