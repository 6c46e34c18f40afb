import type { Binder } from '../bind.ts';
import { connectMember } from './connect-member.ts';
import { disconnectMember } from './disconnect-member.ts';
import { listMembers } from './list-members.ts';
import { readPublicProfile } from './read-public-profile.ts';
import { renameMember } from './rename-member.ts';

export const bindResellers = ({ bind, bindCreating }: Binder) => ({
  connect: bindCreating(connectMember),
  disconnect: bind(disconnectMember),
  listMembers: bind(listMembers),
  renameMember: bind(renameMember),
  readPublicProfile: bind(readPublicProfile),
});
