import { Client, type Connection } from '@temporalio/client';
import { connectTemporal, explained, withinDeadline } from '../gateways/orchestrator/temporal-connection.ts';
import type { Config } from './config.ts';

type Temporal = Pick<Config['temporal'], 'connection' | 'namespace'>;

/** Runs `work` on a connection of its own. Tries again until `patienceMs` are over, and then throws what an operator has to do. */
export async function withTemporal<Result>(
  { connection: address, namespace }: Temporal,
  patienceMs: number,
  work: (connection: Connection, namespace: string) => Promise<Result>,
): Promise<Result> {
  const connection = connectTemporal(address);
  try {
    return await withinDeadline(new Client({ connection, namespace }), patienceMs, () => work(connection, namespace));
  } finally {
    await connection.close();
  }
}

/** For what the SDK's worker connects: its error says what an operator has to do. */
export const reached = <Reached>(connecting: Promise<Reached>): Promise<Reached> =>
  connecting.catch((error: unknown) => {
    throw explained(error);
  });
