import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { ItemContent } from '../items/rules/item-content.ts';
import { leftOutFields } from '../items/rules/left-out.ts';
import type { ItemLineStore } from '../items/store/item-lines.ts';
import { contentHash } from '../items/store/item-row.ts';
import { findLookalikes } from '../items/apply-lines.ts';
import { withKept } from '../items/keep-left-out.ts';
import { lookalikeWarnings } from '../items/warnings.ts';
import type { PlacedLine } from './placed-line.ts';

/** A line beside the item that is there. */
export interface ComparedLine {
  readonly placed: PlacedLine;
  /** Fields that it leaves out although the item has them. */
  readonly leftOut: readonly string[];
}

type Lines = Pick<ItemLineStore, 'findPushed' | 'findCurrent'>;
type Accepted = Extract<PlacedLine, { readonly request: unknown }>;

/** As many as a chunk has. */
const linesMax = 200;
/** Limits over all accounts. */
const heldLinesMax = 5_000;
const heldCharactersMax = 4 * 1024 * 1024;

/**
 * Compares lines with the items that are there, some hundred of an account at a time. `tell` gets each of them: refused
 * ones as they are, and one whose item can't keep what it leaves out as a refusal.
 */
export function createComparer(lines: Lines, tell: (line: ComparedLine) => void) {
  const held = new Map<AccountId, Accepted[]>();
  let [count, characters] = [0, 0];
  const flush = async (accountId: AccountId): Promise<void> => {
    const own = held.get(accountId) ?? [];
    held.delete(accountId);
    for (const compared of await compare(lines, accountId, own)) tell(compared);
  };
  const finish = async (): Promise<void> => {
    [count, characters] = [0, 0];
    for (const accountId of held.keys()) await flush(accountId);
  };
  return {
    take: (placed: PlacedLine): Promise<void> | undefined => {
      if ('refusal' in placed) {
        tell({ placed, leftOut: [] });
        return undefined;
      }
      const own = held.get(placed.accountId) ?? [];
      held.set(placed.accountId, own);
      own.push(placed);
      count += 1;
      characters += JSON.stringify(placed.request.content).length;
      if (count >= heldLinesMax || characters >= heldCharactersMax) return finish();
      return own.length >= linesMax ? flush(placed.accountId) : undefined;
    },
    finish,
  };
}

async function compare(lines: Lines, accountId: AccountId, own: readonly Accepted[]): Promise<readonly ComparedLine[]> {
  const pushed = await lines.findPushed(accountId, idsOf(own));
  const hashes = new Map(pushed.map(({ externalId, pushHash }) => [externalId, pushHash]));
  const isSame = ({ externalId, request }: Accepted): boolean =>
    hashes.get(externalId) === contentHash(request.content);
  const different = own.filter((line) => !isSame(line));
  const found = different.length === 0 ? [] : await lines.findCurrent(accountId, idsOf(different));
  const contents = new Map(found.map(({ externalId, content }) => [externalId, content]));
  const fresh = idsOf(different).filter((id) => !contents.has(id));
  const lookalikes = await findLookalikes(lines, fresh, { accountId, createdBefore: new Date() });
  return own.map((placed) => {
    const { externalId } = placed;
    if (isSame(placed)) return { placed, leftOut: [] };
    const before = contents.get(externalId);
    if (before === undefined) return { placed: warnedOfId(placed, lookalikes.has(externalId)), leftOut: [] };
    const kept = checkKept(placed, before);
    // A later line of the same item meets what this one leaves.
    if ('request' in kept) contents.set(externalId, kept.request.content);
    return { placed: 'request' in kept ? placed : kept, leftOut: leftOutFields(before, placed.request.content) };
  });
}

const idsOf = (lines: readonly Accepted[]): string[] => [...new Set(lines.map(({ externalId }) => externalId))];

function warnedOfId(placed: Accepted, hasLookalike: boolean): Accepted {
  const warnings = [...lookalikeWarnings({ hasLookalike }), ...placed.request.warnings];
  return { ...placed, request: { ...placed.request, warnings } };
}

/** The line with what it keeps of the item, or why that is refused. */
function checkKept(placed: Accepted, before: ItemContent): PlacedLine {
  const { request, ...named } = placed;
  try {
    return { ...named, request: withKept({ content: before }, request) };
  } catch (error) {
    if (error instanceof Refusal) return { ...named, refusal: error };
    throw error;
  }
}
