import type { Binder } from '../bind.ts';
import { changeMyProfile } from './change-my-profile.ts';
import { connectMember, connectShown } from './connect-member.ts';
import { disconnectMember } from './disconnect-member.ts';
import { listMembers } from './list-members.ts';
import { readJoinPage } from './read-join-page.ts';
import { readMyDeal } from './read-my-deal.ts';
import { readMyProfile } from './read-my-profile.ts';
import { readPublicProfile } from './read-public-profile.ts';
import { renameMember } from './rename-member.ts';

export const bindResellers = ({ bind, bindCreating }: Binder) => ({
  connect: bindCreating(connectMember),
  connectShown: bindCreating(connectShown),
  disconnect: bind(disconnectMember),
  listMembers: bind(listMembers),
  renameMember: bind(renameMember),
  readMyDeal: bind(readMyDeal),
  readMyProfile: bind(readMyProfile),
  changeMyProfile: bind(changeMyProfile),
  readPublicProfile: bind(readPublicProfile),
  readJoinPage: bind(readJoinPage),
});
