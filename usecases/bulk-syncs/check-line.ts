import { Refusal } from '../../core/errors.ts';
import type { ItemRequest } from '../../core/items/item-content.ts';
import { readLine, readLineRequest, UnreadableLine } from '../../schemas/bulk-syncs/read-line.ts';
import type { StoredLine } from '../../store/bulk-syncs/bulk-chunks.ts';

interface NamedLine {
  readonly line: number;
  readonly account?: string | undefined;
}

/** What a line asks for, or why it is refused; its names as far as they can be told. */
export type CheckedLine = NamedLine &
  (
    | { readonly externalId: string; readonly request: ItemRequest }
    | { readonly externalId: string | null; readonly refusal: Refusal }
  );

/** A line is refused for what nobody thought of, too: it was accepted, and must not hold up all that come after it. */
export const unexpectedFailure = (): Refusal => new Refusal('INTERNAL', 'Unexpected server error');

/** Takes any line and never throws. `onUnexpected` is told of an error that is no refusal. */
export function checkLine(
  { line, text, repeats }: StoredLine,
  onUnexpected: (line: number, error: unknown) => void = () => undefined,
): CheckedLine {
  let told: { externalId: string | null; account?: string | undefined } = { externalId: null };
  try {
    const read = readLine(text);
    const { externalId, account } = read;
    told = { externalId, account };
    return { line, externalId, account, request: readLineRequest(read, repeats) };
  } catch (error) {
    if (error instanceof Refusal) return { line, ...told, refusal: error };
    if (error instanceof UnreadableLine) {
      const { externalId, account, refusal } = error;
      return { line, externalId, account, refusal };
    }
    onUnexpected(line, error);
    return { line, ...told, refusal: unexpectedFailure() };
  }
}
