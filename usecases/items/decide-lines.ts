import { Refusal } from '../../core/errors.ts';
import type { AccountId, BulkSyncId, ItemId } from '../../core/ids.ts';
import { inBulk } from '../../core/items/owed-work.ts';
import {
  appliedChunkOf,
  withAppliedChunk,
  type AppliedChunk,
  type LineOutcome,
} from '../../core/items/applied-chunk.ts';
import type { ItemRequest, RequestWarning } from '../../core/items/item-content.ts';
import type { Item } from '../../core/items/item.ts';
import type { Actor } from '../../core/items/journal.ts';
import { leftOutFields } from '../../core/items/left-out.ts';
import { createItem } from '../../core/items/upsert-item.ts';
import type { FormerItem } from '../../store/items/former-items.ts';
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
      readonly warnings: readonly RequestWarning[];
      /** Of a bulk sync's line: fields that it leaves out although the item has them; missing when there are none. */
      readonly leftOut?: readonly string[];
    }
  | { readonly refusal: Refusal }
);

/** The bulk sync that the lines belong to. */
export interface BulkOrigin {
  readonly bulkId: BulkSyncId;
  /** Number of the chunk within the bulk's chunks of this account. */
  readonly chunk: number;
  /** When the bulk was accepted, in database time: its lines count as accepted then. */
  readonly acceptedAt: Date;
}

/** The lines of one item, in their order. */
export interface LineGroup {
  readonly externalId: string;
  readonly lines: readonly ItemLine[];
}

/** The items stored under a group's external id. */
export interface FoundItem {
  readonly current: Item | null;
  /** Needed without a current item, or with one that {@link asksForFormer}. */
  readonly former: readonly FormerItem[];
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
 * True for a current item written after the bulk was accepted. It may have replaced an item of the bulk that was deleted
 * meanwhile; then the former item holds the outcome of the lines.
 */
export const asksForFormer = (current: Item, bulk: BulkOrigin | undefined): boolean =>
  bulk !== undefined && isAfter(current, bulk) && appliedChunkOf(current.appliedChunks, bulk.bulkId) === undefined;

/**
 * Merges several lines of one item into one write with the same result as separate pushes. Lines of a bulk sync never overwrite a
 * write that was accepted after it, a deletion included, and are never applied twice (protocol 19).
 */
export function decideGroup({ lines }: LineGroup, found: FoundItem, context: LineContext): GroupDecision {
  const { bulk } = context;
  if (bulk === undefined) return foldLines(lines, found, context);
  const known = markedBefore(found, bulk.bulkId);
  if (known !== undefined && known.mark.chunk >= bulk.chunk)
    return nothingToWrite(lines, (line) => recall(line, known, { ...context, bulk }));
  const { current, former } = found;
  if (current !== null && isAfter(current, bulk))
    return nothingToWrite(lines, (line) => compareWithNewer(line, current, context));
  if (current === null && former.some((item) => isAfter(item, bulk)))
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

interface Marked {
  readonly item: Pick<Item, 'id' | 'revision'>;
  readonly mark: AppliedChunk;
}

/** The newest of a bulk's marks on the items that have or had the external id. */
function markedBefore({ current, former }: FoundItem, bulkId: BulkSyncId): Marked | undefined {
  const items = current === null ? former : [current, ...former];
  return items
    .flatMap((item) => {
      const mark = appliedChunkOf(item.appliedChunks, bulkId);
      return mark === undefined ? [] : [{ item, mark }];
    })
    .toSorted((one, other) => other.mark.chunk - one.mark.chunk)[0];
}

/** The mark of a later chunk is found only by an attempt that was treated as dead, whose answer is not counted. */
function recall(
  { line, externalId, request }: ItemLine,
  { item, mark }: Marked,
  { bulk, connection }: Pick<LineContext, 'connection'> & { readonly bulk: BulkOrigin },
): LineResult {
  const known = mark.chunk === bulk.chunk ? mark.outcomes.find((of) => of.line === line) : undefined;
  if (known === undefined || known.outcome === 'removed')
    return conflict(line, 'A later part of the bulk sync has written the item');
  const isToPublish = request.autoPublish && known.outcome === 'created';
  const told = isToPublish ? publicationWarnings({ externalId, request }, connection) : [];
  const warnings = [...request.warnings, ...told];
  return {
    ...{ line, outcome: known.outcome, itemId: item.id, revision: item.revision, warnings },
    ...(known.leftOut !== undefined && { leftOut: known.leftOut }),
  };
}

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
  const outcomes = results.flatMap((result) => ('refusal' in result ? [] : [result]));
  return { next: signed(inBulk(item), { ...context, outcomes }), results };
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
  const sequenceBefore = Math.max(0, ...found.former.map(({ sequence }) => sequence));
  return createItem({ id: newItemId(), accountId, externalId, request, sequenceBefore, actor, now });
};

/** Adds the outcomes of a bulk sync's lines to the item, and sets the time of the bulk's acceptance. */
export function signed(
  item: Item,
  { bulk, now, outcomes }: { bulk: BulkOrigin | undefined; now: Date; outcomes: readonly LineOutcome[] },
): Item {
  if (bulk === undefined) return item;
  const { bulkId, chunk, acceptedAt } = bulk;
  const kept = outcomes.map(({ line, outcome, leftOut }) => ({
    line,
    outcome,
    ...(leftOut !== undefined && { leftOut }),
  }));
  return {
    ...item,
    acceptedAt,
    appliedChunks: withAppliedChunk(item.appliedChunks, { bulkId, chunk, at: now, outcomes: kept }),
  };
}
