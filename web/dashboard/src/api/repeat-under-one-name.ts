import { ItembridgeError } from '../../../../client/itembridge-error.ts';

/** The header by which the service executes a call once, however often it is sent. */
export type CallName = { readonly 'Idempotency-Key': string };

type Post<Body, Result> = (body: Body, headers: CallName) => Promise<Result>;

export interface RepeatablePost<Body, Result> {
  /** The function for the next call. */
  post: Post<Body, Result>;
  readonly call: (body: Body) => Promise<Result>;
}

/**
 * A POST that keeps its key while it is repeated with the same body, until it succeeded or was refused for good. Until
 * then it is unknown whether the call took effect.
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

/** Still running, timed out, or too many calls: the call may have or get its effect. */
const undecided: ReadonlySet<number> = new Set([408, 409, 429]);

const isRefusal = (error: unknown): boolean =>
  error instanceof ItembridgeError && error.status >= 400 && error.status < 500 && !undecided.has(error.status);
