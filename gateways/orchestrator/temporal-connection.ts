import {
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type Client,
  type ConnectionOptions,
} from '@temporalio/client';
import { OrchestratorUnavailable } from './port.ts';
import { temporalProblem } from './temporal-problem.ts';

/** As both of the SDK's connections take it (compose/temporal-config.ts). */
export interface TemporalAddress {
  readonly address: string;
  readonly tls?: Exclude<ConnectionOptions['tls'], boolean | null | undefined>;
  readonly apiKey?: string;
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type NextCall = Parameters<Interceptor>[1];
type Call = ReturnType<NextCall>;

/** The reason for which the last try of a connection did not reach the engine: the SDK tries again until the deadline, and then forgets it. */
const lastProblems = new WeakMap<object, string>();

/**
 * A connection to the engine that opens at its first use and can be closed during retries. The SDK retries from a timer. On a
 * closed channel that throws without a handler and ends the process. Here such a call, and every later one, fails as cancelled.
 */
export function connectTemporal(options: TemporalAddress): Connection {
  let isClosed = false;
  const pass = (callOptions: Parameters<Interceptor>[0], nextCall: NextCall): Call =>
    isClosed ? cancelledCall() : noting(nextCall(callOptions), connection);
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

/** Remembers for its connection why this try did not reach the engine, or that it did. */
function noting(call: Call, connection: Connection): Call {
  const start = call.start.bind(call);
  call.start = (metadata, listener) =>
    start(metadata, {
      onReceiveMetadata: (received) => listener?.onReceiveMetadata?.(received),
      onReceiveMessage: (message) => listener?.onReceiveMessage?.(message),
      onReceiveStatus: (status) => {
        if (isAway(status.code)) lastProblems.set(connection, status.details);
        // A try that comes when the deadline is over tells nothing.
        else if (status.code !== grpcDeadlineExceeded) lastProblems.delete(connection);
        listener?.onReceiveStatus?.(status);
      },
    });
  return call;
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
    const [code, problem] = [codeOf(error), lastProblems.get(client.connection)];
    const wasNeverReached = code === grpcDeadlineExceeded && problem !== undefined;
    throw isAway(code) || wasNeverReached ? unavailable(error, problem) : error;
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
    const isExplained = error instanceof OrchestratorUnavailable;
    throw !isExplained && codeOf(error) === grpcDeadlineExceeded ? new OrchestratorUnavailable(error) : error;
  }
}

/** The error of an attempt to connect: where its words tell what an operator does about it, an error that says so. */
export function explained(error: unknown): unknown {
  const whatToDo = temporalProblem(wordsOf(error).join(' '));
  return whatToDo === undefined ? error : new OrchestratorUnavailable(error, whatToDo);
}

function unavailable(error: unknown, reason?: string): OrchestratorUnavailable {
  const code = codeOf(error);
  const refusal = code === undefined ? undefined : refusals[code];
  return new OrchestratorUnavailable(error, temporalProblem(refusal ?? reason ?? wordsOf(error).join(' ')));
}

const grpcDeadlineExceeded = 4;
const grpcUnavailable = 14;
/** The engine does not take the caller for one that may call. */
const refusals: Readonly<Record<number, string>> = { 7: 'PERMISSION_DENIED', 16: 'UNAUTHENTICATED' };

const isAway = (code: number | undefined): boolean =>
  code !== undefined && (code === grpcUnavailable || code in refusals);

/** The client wraps the status of the connection in errors of its own. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'number' ? error.code : codeOf(error.cause);
}

const wordsOf = (error: unknown): string[] => (error instanceof Error ? [error.message, ...wordsOf(error.cause)] : []);
