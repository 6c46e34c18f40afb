import type { ItemRequest } from '../../features/items/rules/item-content.ts';
import { keptAsSent, problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import { showUnseen } from '../../features/rules/unseen-text.ts';

/** What programs write where a value is missing, and what spreadsheets show for one that can't be calculated. */
const placeholder =
  /^(?:[(<[]?(?:null|nil|none|nan|nat|undefined|missing|empty)[)>\]]?|\\n|n\/a|\[object \w+\]|#+|err:\d+|#(?:n\/a|ref!?|value!?|name\??|div\/0!?|null!?|num!?|spill!?|calc!?|field!?|saknas!?|referens!?|värdefel!?|namn\??|division\/0!?|skärning!?|ogiltigt!?))$/i;

/**
 * Letters beyond ASCII whose UTF-8 was read byte by byte as Windows-1252 (`Ã¥` for `å`, `â€“` for a dash), and the sign
 * that replaces a letter that could not be read.
 */
const garbled =
  /[\u00C2\u00C3][\u0080-\u00BF\u20AC\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u017D\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u017E\u0178]|\u00E2(?:\u20AC|\u0080)|\uFFFD/;

/** Doubts about a value that is kept as it is: the sending program, or the file, has lost what stood there. */
export const doubtsAbout = (externalId: string, title: string): FieldProblem[] => [
  ...doubtAbout('externalId', externalId),
  ...doubtAbout('title', title),
];

const shownMax = 40;

function doubtAbout(field: 'externalId' | 'title', value: string): FieldProblem[] {
  const text = showUnseen(value.length > shownMax ? `${value.slice(0, shownMax)}…` : value);
  if (placeholder.test(value.trim())) return [problem(field, 'placeholder', { text })];
  if (garbled.test(value)) return [problem(field, 'wrong_encoding', { text })];
  // Of an external id every one is told (external-id.ts).
  return field === 'title' && value.startsWith('=') ? [problem(field, 'formula', { text })] : [];
}

/** Adds a warning for each doubt. `idField`: the name of the id's field. */
export function withDoubts(request: ItemRequest, externalId: string, idField: string): ItemRequest {
  const warnings = doubtsAbout(externalId, request.content.title).map((doubt) =>
    keptAsSent(doubt.field === 'externalId' ? { ...doubt, field: idField } : doubt),
  );
  return warnings.length === 0 ? request : { ...request, warnings: [...warnings, ...request.warnings] };
}
