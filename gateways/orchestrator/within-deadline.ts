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
    throw hasCode(error, grpcUnavailable) ? new OrchestratorUnavailable(error) : error;
  }
}

/**
 * The same for questions, of which nothing is left behind: no answer in time means that the engine is away, too. Throws
 * {@link OrchestratorUnavailable} or the engine's error.
 */
export async function askWithinDeadline<Result>(...asked: Parameters<typeof withinDeadline<Result>>): Promise<Result> {
  try {
    return await withinDeadline(...asked);
  } catch (error) {
    throw hasCode(error, grpcDeadlineExceeded) ? new OrchestratorUnavailable(error) : error;
  }
}

const grpcDeadlineExceeded = 4;
const grpcUnavailable = 14;

/** The client wraps the status of the connection in errors of its own. */
function hasCode(error: unknown, code: number): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === code) || hasCode(error.cause, code);
}
