import type { ExecutionContext } from 'ava';
import { startAiSimulator } from '../../../simulators/ai/start-ai-simulator.ts';
import { call } from '../../simulators/support/call.ts';

export const testKey = 'sk-test-very-secret';

/** The AI simulator of one test: what it shall answer, how it shall fail, what it was asked. */
export async function anAi(t: ExecutionContext) {
  const ai = await startAiSimulator({ apiKey: testKey });
  t.teardown(() => ai.close());
  const admin = async (path: string, body: unknown): Promise<void> => {
    const { status } = await call('POST', ai.adminUrl + path, { body });
    if (status !== 201) throw new Error(`the simulator answered ${status}`);
  };
  return {
    url: ai.url,
    prepare: (answer: unknown, contains?: string) =>
      admin('/answers', { answer, ...(contains !== undefined && { contains }) }),
    fail: (fault: Record<string, unknown>) => admin('/faults', { path: 'completions', ...fault }),
    callCount: async (): Promise<number> =>
      (await call('GET', `${ai.adminUrl}/calls?path=completions`)).json<{ calls: unknown[] }>().calls.length,
  };
}
