import {
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type Client,
  type ConnectionOptions,
} from '@temporalio/client';
import { OrchestratorUnavailable } from './port.ts';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type NextCall = Parameters<Interceptor>[1];
type Call = ReturnType<NextCall>;

/**
 * A connection to the engine that opens at its first use and can be closed during retries. The SDK retries from a timer. On a
 * closed channel that throws without a handler and ends the process. Here such a call, and every later one, fails as cancelled.
 */
export function openClosableConnection(options: ConnectionOptions): Connection {
  let isClosed = false;
  const pass = (callOptions: Parameters<Interceptor>[0], nextCall: NextCall): Call =>
    isClosed ? cancelledCall() : nextCall(callOptions);
  const connection = Connection.lazy({
    ...options,
    interceptors: [
      makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
      // Nearest to the channel, so that retries pass here as well.
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the type asks for a class that only the library can make; it uses the interface
      pass as Interceptor,
    ],
  });
  const close = connection.close.bind(connection);
  connection.close = async () => {
    isClosed = true;
    await close();
  };
  return connection;
}

const grpcCancelled = 1;

/** Never reaches a server; fails as soon as it is sent. */
function cancelledCall(): Call {
  return {
    start: (metadata, listener) => {
      const answer = { code: grpcCancelled, details: 'the connection is closed', metadata: metadata.clone() };
      for (const name of Object.keys(answer.metadata.getMap())) answer.metadata.remove(name);
      setImmediate(() => {
        listener?.onReceiveMessage?.(null);
        listener?.onReceiveStatus?.(answer);
      });
    },
    sendMessage: nothing,
    sendMessageWithContext: nothing,
    halfClose: nothing,
    startRead: nothing,
    cancelWithStatus: nothing,
    getPeer: () => '',
    getAuthContext: () => null,
  };
}

const nothing = (): void => undefined;

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
 * The same for queries, which have no effect: no answer in time means that the engine is unreachable. Throws {@link
 * OrchestratorUnavailable} or the engine's error.
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
export function hasCode(error: unknown, code: number): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === code) || hasCode(error.cause, code);
}
