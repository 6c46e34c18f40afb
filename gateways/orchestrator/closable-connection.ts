import {
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';

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
