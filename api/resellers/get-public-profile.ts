import { readPublicProfile } from '../../usecases/resellers/read-public-profile.ts';
import { param, type Answer, type Call } from '../http/route.ts';

export async function getPublicProfile(call: Call): Promise<Answer> {
  return { status: 200, body: await readPublicProfile(call.context, param(call, 'slug')) };
}
