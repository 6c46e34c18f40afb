import type { MemberConnectionRow } from '../../store/resellers/member-connections.ts';

export interface MemberView {
  readonly memberUserId: string;
  readonly memberName: string;
  readonly externalId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const describeMember = (row: MemberConnectionRow, memberName: string): MemberView => ({
  memberUserId: row.memberAccountId,
  memberName,
  externalId: row.externalId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
