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
 * A connection to the engine that is made when it is first used, and that can be closed while calls are being tried again. The SDK
 * tries again from a timer; on a channel that was closed meanwhile that throws where nobody listens and ends the process. Here
 * such a call, and every later one, fails as cancelled.
 */
export function openClosableConnection(options: ConnectionOptions): Connection {
  let isClosed = false;
  const pass = (callOptions: Parameters<Interceptor>[0], nextCall: NextCall): Call =>
    isClosed ? cancelledCall() : nextCall(callOptions);
  const connection = Connection.lazy({
    ...options,
    interceptors: [
      makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
      // Nearest to the channel, so that repeated calls come by here too.
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

/** Never reaches a server; says so as soon as it is sent. */
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
