import { param, type Answer, type Call } from '../http/route.ts';

export async function getPublicProfile(call: Call): Promise<Answer> {
  return { status: 200, body: await call.dependencies.resellers.readPublicProfile(param(call, 'slug')) };
}
