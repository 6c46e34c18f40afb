import { ItembridgeError } from '../../../../client/itembridge-error.ts';

/** Progress of an action on several rows. */
export interface Doing {
  readonly all: number;
  readonly done: number;
  readonly refused: readonly { readonly id: string; readonly error: unknown }[];
}

/** Parallel calls. Few, so that the account's other calls keep most of its rate limit. */
const atOnce = 3;
const waitMs = 2_000;

/**
 * Runs an action for each row, a few at a time; a refusal does not stop the others. At the rate limit it waits as long
 * as the service asks. Never rejects.
 */
export async function doEach(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  onStep: (doing: Doing) => void,
): Promise<Doing> {
  let doing: Doing = { all: ids.length, done: 0, refused: [] };
  const waiting = [...ids];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const error = await errorOf(act, id);
      doing =
        error === undefined
          ? { ...doing, done: doing.done + 1 }
          : { ...doing, refused: [...doing.refused, { id, error: error.cause }] };
      onStep(doing);
    }
  };
  onStep(doing);
  await Promise.all(Array.from({ length: atOnce }, work));
  return doing;
}

async function errorOf(act: (id: string) => Promise<unknown>, id: string): Promise<{ cause: unknown } | undefined> {
  for (;;)
    try {
      await act(id);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof ItembridgeError) || cause.status !== 429) return { cause };
      await new Promise((resolve) => setTimeout(resolve, cause.retryAfterMs ?? waitMs));
    }
}
