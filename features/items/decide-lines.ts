import { Refusal } from '../rules/errors.ts';
import type { AccountId, BulkSyncId, ItemId } from '../rules/ids.ts';
import { inBulk } from './rules/owed-work.ts';
import type { FieldProblem } from '../rules/field-problems.ts';
import type { ItemRequest } from './rules/item-content.ts';
import type { Item } from './rules/item.ts';
import type { Actor } from './rules/journal.ts';
import { leftOutFields } from './rules/left-out.ts';
import { createItem } from './rules/upsert-item.ts';
import type { FormerItem } from './store/former-items.ts';
import { asksToPublish, lookalikeWarnings, publicationWarnings, type ConnectionState } from './warnings.ts';
import { decideUpdate } from './upsert-item.ts';
import type { WriteDecision } from './write-item.ts';

/** One item of many, already read and checked. */
export interface ItemLine {
  /** Identifies the line to the caller; unique within one call. */
  readonly line: number;
  readonly externalId: string;
  readonly request: ItemRequest;
}

export type LineResult = { readonly line: number } & (
  | {
      readonly outcome: 'created' | 'updated' | 'unchanged';
      readonly itemId: ItemId;
      readonly revision: number;
      readonly warnings: readonly FieldProblem[];
      /** Of a bulk sync's line: fields that it leaves out although the item has them; missing when there are none. */
      readonly leftOut?: readonly string[];
    }
  | { readonly refusal: Refusal }
);

export interface BulkOrigin {
  readonly bulkId: BulkSyncId;
  /** When the bulk was accepted, in database time: its lines count as accepted then. */
  readonly acceptedAt: Date;
}

export interface LineGroup {
  readonly externalId: string;
  readonly lines: readonly ItemLine[];
}

/** The items stored under a group's external id. */
export interface FoundItem {
  readonly current: Item | null;
  /** The newest former one, read only without a current item. */
  readonly former: FormerItem | undefined;
  /** Another item has an id that looks the same; only looked for without a current item. */
  readonly hasLookalike?: boolean;
}

export interface LineContext {
  readonly accountId: AccountId;
  readonly actor: Actor;
  readonly now: Date;
  readonly newItemId: () => ItemId;
  /** Connection of the account to the marketplace; read only when a line asks for publication. */
  readonly connection: ConnectionState;
  readonly bulk: BulkOrigin | undefined;
  /** True while a bulk sync that was accepted before this one may still write. */
  readonly isOvertaking: boolean;
}

export interface GroupDecision {
  /** The item as it should be; null when nothing is to be written. */
  readonly next: Item | null;
  readonly results: readonly LineResult[];
}

/**
 * Merges several lines of one item into one write with the same result as separate pushes. Lines of a bulk sync never overwrite a
 * write that was accepted after it, a deletion included.
 */
export function decideGroup({ lines }: LineGroup, found: FoundItem, context: LineContext): GroupDecision {
  const { bulk } = context;
  const { current, former } = found;
  if (bulk === undefined) return foldLines(lines, found, context);
  if (current !== null && isAfter(current, bulk))
    return nothingToWrite(lines, (line) => compareWithNewer(line, current, context));
  if (current === null && former !== undefined && isAfter(former, bulk))
    return nothingToWrite(lines, ({ line }) => conflict(line, 'The item was deleted after the bulk sync was accepted'));
  return foldLines(lines, found, context);
}

const isAfter = ({ acceptedAt }: Pick<Item, 'acceptedAt'>, bulk: BulkOrigin): boolean =>
  acceptedAt !== null && acceptedAt > bulk.acceptedAt;

const nothingToWrite = (lines: readonly ItemLine[], answer: (line: ItemLine) => LineResult): GroupDecision => ({
  next: null,
  results: lines.map(answer),
});

/** For the lines of a new item that exceeds the account's quota. */
export const refusedGroup = ({ lines }: LineGroup, refusal: Refusal): GroupDecision =>
  nothingToWrite(lines, ({ line }) => ({ line, refusal }));

const conflict = (line: number, message: string): LineResult => ({ line, refusal: new Refusal('CONFLICT', message) });

/** Warnings about the publication that a line asks for. */
const toldOf = (sent: ItemLine, before: Item | null, { connection }: LineContext): ItemRequest['warnings'] =>
  asksToPublish(before, sent.request) ? publicationWarnings(sent, connection) : [];

function compareWithNewer(sent: ItemLine, current: Item, context: LineContext): LineResult {
  const { line, request } = sent;
  const decided = orRefusal(() => decideUpdate(current, request, context));
  if (decided instanceof Refusal) return { line, refusal: decided };
  const { item, warnings: known } = decided;
  const warnings = [...known, ...toldOf(sent, current, context)];
  if (item !== current) return conflict(line, 'The item was changed after the bulk sync was accepted');
  return { line, outcome: 'unchanged', itemId: item.id, revision: item.revision, warnings };
}

function foldLines(lines: readonly ItemLine[], found: FoundItem, context: LineContext): GroupDecision {
  let item = found.current;
  const results = lines.map((line): LineResult => {
    const before = item;
    const decided = orRefusal(() => decideLine(line, before, { found, context }));
    if (decided instanceof Refusal) return { line: line.line, refusal: decided };
    item = decided.item;
    const changed = before === null ? ('created' as const) : ('updated' as const);
    const outcome = item === before ? ('unchanged' as const) : changed;
    const left =
      context.bulk === undefined || before === null ? [] : leftOutFields(before.content, line.request.content);
    const { warnings } = decided;
    const result = { line: line.line, outcome, itemId: item.id, revision: item.revision, warnings };
    return left.length === 0 ? result : { ...result, leftOut: left };
  });
  if (item === null || item === found.current) return { next: withTrace(found.current, context), results };
  return { next: signed(inBulk(item), context.bulk), results };
}

interface Situation {
  readonly found: FoundItem;
  readonly context: LineContext;
}

/** Throws {@link Refusal} as {@link decideUpdate}. */
function decideLine(sent: ItemLine, before: Item | null, { found, context }: Situation): WriteDecision {
  const { externalId, request } = sent;
  const decided =
    before === null
      ? {
          item: create(externalId, request, { found, context }),
          warnings: [...lookalikeWarnings(found), ...request.warnings],
        }
      : decideUpdate(before, request, context);
  return { ...decided, warnings: [...decided.warnings, ...toldOf(sent, before, context)] };
}

function orRefusal<Value>(decide: () => Value): Value | Refusal {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** A line that changes nothing still counts as a write against lines of an older bulk sync, which must not undo it. */
function withTrace(current: Item | null, { bulk, isOvertaking }: LineContext): Item | null {
  if (current === null || bulk === undefined || !isOvertaking) return null;
  const isTraced = current.acceptedAt !== null && current.acceptedAt >= bulk.acceptedAt;
  return isTraced ? null : { ...current, acceptedAt: bulk.acceptedAt };
}

const create = (externalId: string, request: ItemRequest, { found, context }: Situation): Item => {
  const { accountId, actor, now, newItemId } = context;
  const sequenceBefore = found.former?.sequence ?? 0;
  return createItem({ id: newItemId(), accountId, externalId, request, sequenceBefore, actor, now });
};

/** The item as accepted when its bulk sync was. */
export const signed = (item: Item, bulk: BulkOrigin | undefined): Item =>
  bulk === undefined ? item : { ...item, acceptedAt: bulk.acceptedAt };
