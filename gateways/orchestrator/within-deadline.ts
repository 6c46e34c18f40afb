import type { Client } from '@temporalio/client';
import { OrchestratorUnavailable } from './port.ts';

/**
 * Runs calls to the engine; each fails when it has no answer in `deadlineMs`. Throws {@link OrchestratorUnavailable} or the
 * engine's error.
 */
export async function withinDeadline<Result>(
  client: Client,
  deadlineMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await client.connection.withDeadline(Date.now() + deadlineMs, work);
  } catch (error) {
    throw isUnavailable(error) ? new OrchestratorUnavailable(error) : error;
  }
}

const grpcUnavailable = 14;

/** The client wraps the status of the connection in errors of its own. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === grpcUnavailable) || isUnavailable(error.cause);
}
