import { Refusal } from '../../core/errors.ts';
import type { ItemRequest } from '../../core/items/item-content.ts';
import { readLineRequest, type BulkLine } from '../../schemas/bulk-syncs/read-line.ts';

/** What a line asks for, or why it is refused. */
export type CheckedLine = { readonly request: ItemRequest } | { readonly refusal: Refusal };

/** An unexpected error also fails only its own line, because it must not block the lines after it. */
export const unexpectedFailure = (): Refusal => new Refusal('INTERNAL', 'Unexpected server error');

/** Accepts any line and never throws. `onUnexpected` receives each error that is not a refusal. */
export function checkLine(
  line: Pick<BulkLine, 'externalId' | 'body' | 'repeated'>,
  { repeats, onUnexpected }: { repeats: number | undefined; onUnexpected: (error: unknown) => void },
): CheckedLine {
  try {
    return { request: readLineRequest(line, repeats) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    onUnexpected(error);
    return { refusal: unexpectedFailure() };
  }
}
