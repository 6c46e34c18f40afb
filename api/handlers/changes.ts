import type { Change } from '../../features/partner/rules/change-set.ts';
import { payerOfScope } from '../../features/rules/scope.ts';
import { eventStreamType, readChangeStreamQuery } from '../../schemas/partner/changes.ts';
import { invalidSession } from '../../features/accounts/authenticate-session.ts';
import type { ChangeMessage } from '../../features/partner/change-stream.ts';
import { bearerToken } from '../http/authenticate.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

/** Proxies must neither cache the events nor buffer them, which compression would require. */
const headers = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/** Streams the changes of the account, at the longest until the access token expires. */
export const getChanges = (call: ScopedCall): Promise<Answer> => answerStream(call, { isOfAllMembers: false });

/** The same with the changes of all its members. */
export const getMembersChanges = (call: ScopedCall): Promise<Answer> => answerStream(call, { isOfAllMembers: true });

function answerStream(
  { context, scope, query, headers: sent, whenClosed }: ScopedCall,
  whose: { readonly isOfAllMembers: boolean },
): Promise<Answer> {
  const { seconds } = readChangeStreamQuery(query);
  const now = context.now();
  const claims = context.sessions.verify(bearerToken(sent) ?? '', now);
  if (claims === undefined || scope.credential.kind !== 'session') throw invalidSession();
  whenClosed(context.places.stream.take(payerOfScope(scope)));
  const messages = context.changeStreams.open({
    ...{ ...whose, scope, sessionId: scope.credential.sessionId, tokenExpiresAt: claims.expiresAt },
    endsAt: new Date(now.getTime() + seconds * 1_000),
    lastId: sent['last-event-id']?.toString(),
  });
  const stream = { type: eventStreamType, chunks: mapped(messages, textOf), isOpenEnded: true } as const;
  return Promise.resolve({ status: 200, headers, stream });
}

/** The pause before a reconnection. Each client adds a random part, so that not all return at once. */
const retryMs = 2_000;

/** In the form of server-sent events. A comment keeps proxies from closing an idle connection. */
function textOf(message: ChangeMessage): string {
  switch (message.event) {
    case 'ready':
      return `retry: ${retryMs}\n${eventOf('ready', {}, message.id)}`;
    case 'reset':
      return eventOf('reset', {}, message.id);
    case 'beat':
      return `: ${idLine(message.id)}\n`;
    case 'changed':
      return eventOf('changed', { changes: message.changes.map(described) }, message.id);
    case 'end':
      return eventOf('end', { reason: message.reason });
  }
}

const described = ({ kind, ids }: Change) => ({ kind, ids });

const eventOf = (event: string, data: object, id = ''): string =>
  `event: ${event}\n${idLine(id)}data: ${JSON.stringify(data)}\n\n`;

const idLine = (id: string): string => (id === '' ? '' : `id: ${id}\n`);

/** Unlike a generator it ends at once when the client disconnects, even while it waits for the next value. */
const mapped = <Value, Text>(values: AsyncIterable<Value>, map: (value: Value) => Text): AsyncIterable<Text> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = values[Symbol.asyncIterator]();
    return {
      next: async () => {
        const one = await iterator.next();
        return one.done === true ? { value: undefined, done: true } : { value: map(one.value), done: false };
      },
      return: async () => {
        await iterator.return?.();
        return { value: undefined, done: true };
      },
    };
  },
});
