import { deepEqual } from '../rules/deep-equal.ts';
import type { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { AccountId } from '../rules/ids.ts';
import { commonFormOf, isAscii } from '../items/rules/id-forms.ts';
import type { EarlierLines } from '../../schemas/bulk-syncs/read-line.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { isShortened } from '../../schemas/items/external-id.ts';
import type { PlacedLine } from './placed-line.ts';
import { createSeenIds } from './seen-ids.ts';

interface LineId {
  readonly accountId: AccountId;
  readonly externalId: string;
  readonly line: number;
}

/** What earlier lines of an upload say about the id of a line. */
export function createLineIds() {
  const seen = createSeenIds();
  // Common forms of ids that are not ASCII.
  const forms = createSeenIds();
  const lookalike = ({ accountId, externalId, line }: LineId): number | undefined => {
    const form = commonFormOf(externalId);
    const key = `${accountId} ${form}`;
    if (isAscii(externalId)) return forms.find(key);
    const exact = form === externalId ? undefined : seen.find(key);
    return forms.firstLine(key, line) ?? exact;
  };
  return {
    meet: (id: LineId): EarlierLines => {
      const repeats = seen.firstLine(`${id.accountId} ${id.externalId}`, id.line);
      return repeats === undefined ? { lookalike: lookalike(id) } : { repeats };
    },
  };
}

/** With more such lines the file itself is damaged, and its lines would fill the memory. */
const heldLinesMax = 1_000;
const heldCharactersMax = 16 * 1024 * 1024;

interface HeldLine {
  readonly placed: PlacedLine;
  readonly body: unknown;
}

/**
 * Holds the lines whose ids a spreadsheet has shortened until all of them are known: two different ones with the same id
 * are two items, and neither may become the other.
 */
export function createShortenedIds() {
  const held = new Map<string, HeldLine[]>();
  let [lines, characters] = [0, 0];
  return {
    /** Returns false for a line with another id. Throws {@link Refusal} VALIDATION_FAILED when there are too many. */
    holds: (placed: PlacedLine, body: unknown): boolean => {
      if (!isShortened(placed.externalId)) return false;
      const key = `${placed.accountId} ${placed.externalId}`;
      held.set(key, [...(held.get(key) ?? []), { placed, body }]);
      lines += 1;
      characters += JSON.stringify(body).length;
      if (lines > heldLinesMax || characters > heldCharactersMax) throw tooManyShortened(lines);
      return true;
    },
    /** The held lines: those that share an id with another one are refused. */
    release: (): readonly PlacedLine[] => [...held.values()].flatMap(refuseDifferent),
  };
}

function refuseDifferent(lines: readonly HeldLine[]): readonly PlacedLine[] {
  const [first] = lines;
  if (lines.every(({ body }) => deepEqual(body, first?.body))) return lines.map(({ placed }) => placed);
  return lines.map(({ placed: { line, externalId, accountId, account } }) => {
    const other = lines.find(({ placed }) => placed.line !== line)?.placed.line;
    const refusal = validationFailed([problem('externalId', 'shortened_twice', { line: other ?? line })]);
    return { line, externalId, accountId, account, refusal };
  });
}

const tooManyShortened = (lines: number): Refusal =>
  validationFailed([problem('externalId', 'too_many_shortened', { lines })]);
