import { ItembridgeError } from '../../../../client/itembridge-error.ts';

/** Header under whose value the service does a call once, however often it comes. */
export type CallName = { readonly 'Idempotency-Key': string };

type Post<Body, Result> = (body: Body, headers: CallName) => Promise<Result>;

export interface RepeatablePost<Body, Result> {
  /** With what the call is made the next time. */
  post: Post<Body, Result>;
  readonly call: (body: Body) => Promise<Result>;
}

/**
 * A POST that goes under the same name each time it is tried again with the same body, until it went well or was refused for good:
 * until then nobody knows whether it took effect.
 */
export function repeatUnderOneName<Body, Result>(
  post: Post<Body, Result>,
  newName: () => string,
): RepeatablePost<Body, Result> {
  let open: { readonly text: string; readonly name: string } | undefined;
  const repeatable: RepeatablePost<Body, Result> = {
    post,
    call: async (body) => {
      const text = JSON.stringify(body);
      if (open?.text !== text) open = { text, name: newName() };
      const { name } = open;
      const settle = (): void => {
        if (open?.name === name) open = undefined;
      };
      try {
        const result = await repeatable.post(body, { 'Idempotency-Key': name });
        settle();
        return result;
      } catch (error) {
        if (isRefusal(error)) settle();
        throw error;
      }
    },
  };
  return repeatable;
}

/** Being done still, too slow, too many: what was asked for may yet be, or come to be. */
const undecided: ReadonlySet<number> = new Set([408, 409, 429]);

const isRefusal = (error: unknown): boolean =>
  error instanceof ItembridgeError && error.status >= 400 && error.status < 500 && !undecided.has(error.status);
