import type { LeftOutMode } from '../../features/bulk-syncs/rules/bulk-sync.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { problem } from '../../features/rules/field-problems.ts';
import type { ItemRequest } from '../../features/items/rules/item-content.ts';
import { withIdWarnings } from '../items/external-id.ts';
import { readItemRequest } from '../items/read-item-request.ts';
import { readRowNames, rowNames } from '../items/row-names.ts';
import { repeatedFields } from '../unknown-fields.ts';
import { readJson } from '../read-json.ts';

/** A line of a bulk sync: the references of account and item, and the item itself, not validated yet. */
export interface BulkLine {
  readonly externalId: string;
  /** The reference of a member, at most 255 characters; undefined when the line names none. */
  readonly account: string | undefined;
  /** The whole object, the two references too. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Dotted paths of names that are repeated in their object. */
  readonly repeated: readonly string[];
}

/** Thrown for an unreadable line, with the references as far as they could be read. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine';
  readonly refusal: Refusal;
  readonly externalId: string | null;
  readonly account: string | undefined;

  constructor(
    refusal: Refusal,
    { externalId, account }: Pick<UnreadableLine, 'externalId' | 'account'> = { externalId: null, account: undefined },
  ) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
    this.externalId = externalId;
    this.account = account;
  }
}

/**
 * Throws {@link UnreadableLine}: BAD_REQUEST when the text is no JSON object, VALIDATION_FAILED with every problem of
 * the line when one of its two references is not usable.
 */
export function readLine(text: string): BulkLine {
  const { value, repeated } = readObject(text);
  const { externalId, account, problems } = readRowNames(value);
  if (externalId !== null && problems.length === 0) return { externalId, account, body: value, repeated };
  try {
    readItemRequest(value, { names: rowNames, problems });
  } catch (error) {
    if (error instanceof Refusal) throw new UnreadableLine(error, { externalId, account });
    throw error;
  }
  throw new Error('a line without an id has a problem');
}

/** What earlier lines of the same account say about the id of a line; undefined members when they say nothing. */
export interface EarlierLines {
  /** The first line with the same id. */
  readonly repeats?: number | undefined;
  /** The first line with an id that looks the same. */
  readonly lookalike?: number | undefined;
}

export interface LineReading extends EarlierLines {
  readonly leftOut?: LeftOutMode | undefined;
}

/** Reads a line as an item request. Throws Refusal as a PUT of the item does. */
export function readLineRequest(
  { externalId, body, repeated }: Pick<BulkLine, 'externalId' | 'body' | 'repeated'>,
  { repeats, lookalike, leftOut }: LineReading = {},
): ItemRequest {
  const read = withIdWarnings(readItemRequest(body, { names: rowNames, problems: [] }), externalId, 'externalId');
  const warnings = [
    ...(repeats === undefined ? [] : [problem('externalId', 'repeated_id', { line: repeats })]),
    ...(lookalike === undefined ? [] : [problem('externalId', 'lookalike_id', { line: lookalike })]),
    ...repeatedFields(repeated),
    ...read.warnings,
  ];
  const asksNothing = (body['useAiEnhancement'] ?? null) === null;
  return { ...read, ...(leftOut === 'keep' && { keep: { ai: asksNothing } }), warnings };
}

/** What a line asks for, or why it is refused. */
export type CheckedLine = { readonly request: ItemRequest } | { readonly refusal: Refusal };

/** An unexpected error also fails only its own line, because it must not block the lines after it. */
export const unexpectedFailure = (): Refusal => new Refusal('INTERNAL', 'Unexpected server error');

/** Accepts any line and never throws. `onUnexpected` receives each error that is not a refusal. */
export function checkLine(
  line: Pick<BulkLine, 'externalId' | 'body' | 'repeated'>,
  { onUnexpected, ...reading }: LineReading & { onUnexpected: (error: unknown) => void },
): CheckedLine {
  try {
    return { request: readLineRequest(line, reading) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    onUnexpected(error);
    return { refusal: unexpectedFailure() };
  }
}

function readObject(text: string): { value: Record<string, unknown>; repeated: readonly string[] } {
  const read = readJson(text);
  if ('problem' in read) throw new UnreadableLine(new Refusal('BAD_REQUEST', `The line ${read.problem}`));
  const { value, repeated } = read;
  if (isObject(value)) return { value, repeated };
  throw new UnreadableLine(new Refusal('BAD_REQUEST', 'The line is not a JSON object'));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
