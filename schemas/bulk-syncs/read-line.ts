import { Refusal } from '../../core/errors.ts';
import { isNestedDeeper, jsonDepthMax } from '../../core/is-nested-deeper.ts';
import type { ItemRequest } from '../../core/items/item-content.ts';
import { validationFailed } from '../compile-schema.ts';
import { readAccountReference, shownReference } from '../items/account-reference.ts';
import { readExternalId, withIdWarnings } from '../items/external-id.ts';
import { readItemRequest } from '../items/read-item-request.ts';

/** A line of a bulk sync: the references of account and item, and the item itself, not validated yet. */
export interface BulkLine {
  readonly externalId: string;
  /** The reference of a member, at most 255 characters; undefined when the line names none. */
  readonly account: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Thrown for an unreadable line, with the references as far as they could be read. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine';
  readonly refusal: Refusal;
  readonly externalId: string | null;
  readonly account: string | undefined;

  constructor(refusal: Refusal, told: { externalId?: string; account?: string | undefined } = {}) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
    this.externalId = told.externalId ?? null;
    this.account = told.account;
  }
}

/**
 * Throws {@link UnreadableLine}: BAD_REQUEST when the text is no JSON object, VALIDATION_FAILED for the line's two own fields.
 */
export function readLine(text: string): BulkLine {
  const { externalId: sentId, account: sentAccount, ...body } = readObject(text);
  const shown = shownReference(sentAccount);
  const externalId = readId(sentId, shown);
  const { account, problem } = readAccountReference(sentAccount);
  if (problem !== undefined) throw new UnreadableLine(problemAt('account', problem), { externalId, account: shown });
  return { externalId, account, body };
}

/** Reads a line as an item request; `repeats` is the line that had its id first. Throws Refusal as a PUT of the item does. */
export function readLineRequest(
  { externalId, body }: Pick<BulkLine, 'externalId' | 'body'>,
  repeats?: number,
): ItemRequest {
  const request = withIdWarnings(readItemRequest(body), externalId, 'externalId');
  if (repeats === undefined) return request;
  const message = `is in line ${repeats} too: the last line of an id counts`;
  return { ...request, warnings: [{ field: 'externalId', message }, ...request.warnings] };
}

function readId(sent: unknown, account: string | undefined): string {
  try {
    return readExternalId(sent);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const message = sent === undefined ? 'is required' : (error.details?.[0]?.message ?? 'is not usable');
    throw new UnreadableLine(problemAt('externalId', message), { account });
  }
}

const problemAt = (field: string, message: string): Refusal => validationFailed([{ field, message }]);

function readObject(text: string): Record<string, unknown> {
  const value = parsed(text);
  if (isObject(value)) return value;
  throw new UnreadableLine(new Refusal('BAD_REQUEST', 'The line is not a JSON object'));
}

function parsed(text: string): unknown {
  if (isNestedDeeper(text, jsonDepthMax))
    throw new UnreadableLine(new Refusal('BAD_REQUEST', `The line is nested deeper than ${jsonDepthMax} levels`));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableLine(new Refusal('BAD_REQUEST', 'The line is not well-formed JSON', { cause }));
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
