import { ItembridgeError } from '../../../../client/itembridge-error.ts';

/** For what an account may not have, such as a connection: null where the service answers 404. */
export async function nullWhenMissing<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ItembridgeError && error.status === 404) return null;
    throw error;
  }
}
