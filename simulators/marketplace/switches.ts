import { fieldsOf } from '../kit/fields.ts';
import { badRequest } from './wire/refusals.ts';

/**
 * What is not known of the real marketplace: the simulator does either. The first position is the usual one.
 *
 * | switch            | question                                        | usual       | other                                |
 * |-------------------|-------------------------------------------------|-------------|--------------------------------------|
 * | refusedEnd        | how is the end of an auction with bids refused? | 200 `false` | 400                                  |
 * | badToken          | status for a wrong or expired token             | 401         | 403                                  |
 * | timeZone          | have times a zone?                              | `Z`         | none: the time in Sweden             |
 * | itemStatus        | has an item its `status`?                       | yes         | no; or it is `{}`                    |
 * | bidsMoveRowVersion| does a bid move an item's `rowVersion`?         | yes         | no                                   |
 * | retryAfter        | has a 429 `Retry-After`?                        | yes         | no                                   |
 * | imageFormats      | numbers of the image formats                    | A: JPEG 0, GIF 1 | B: GIF 0, JPEG 1                |
 * | missingResult     | request-results without any row                 | `[]`        | 404                                  |
 * | secondCommit      | answer to a commit that is repeated             | 200, no effect | 400                               |
 * | missingToDate     | orders without `toDate`                         | up to now   | none, as if it were the year 1       |
 * | reservedItem      | an item before it is up                         | 404         | readable, with its planned end       |
 */
export const switchPositions = {
  refusedEnd: ['false', '400'],
  badToken: ['401', '403'],
  timeZone: ['Z', 'none'],
  itemStatus: ['there', 'absent', 'empty'],
  bidsMoveRowVersion: ['yes', 'no'],
  retryAfter: ['yes', 'no'],
  imageFormats: ['A', 'B'],
  missingResult: ['[]', '404'],
  secondCommit: ['200', '400'],
  missingToDate: ['unbounded', 'empty'],
  reservedItem: ['404', 'readable'],
} as const;

type SwitchName = keyof typeof switchPositions;
type Position<Name extends SwitchName> = (typeof switchPositions)[Name][number];
/** Positions by the name of the switch; checked where they are set. */
export type SwitchChanges = Readonly<Record<string, string>>;

/** The switches of one simulator, each in its usual position unless it was moved. */
export class SwitchBoard {
  readonly #positions = new Map<string, string>(
    Object.entries(switchPositions).map(([name, [usual]]) => [name, usual]),
  );

  constructor(changes: SwitchChanges) {
    this.move(changes);
  }

  is<Name extends SwitchName>(name: Name, position: Position<Name>): boolean {
    return this.#positions.get(name) === position;
  }

  /** Takes `{name: position}` from outside. Throws a 400 for a name or position that is not in the table. */
  move(changes: unknown): void {
    const fields = fieldsOf(changes);
    const moved = Object.keys(Object(changes)).map((name): [string, string] => {
      const positions = Object.entries(switchPositions).find(([known]) => known === name)?.[1];
      if (positions === undefined)
        throw badRequest(`there is no switch ${name}, but ${Object.keys(switchPositions).join(', ')}`);
      return [name, fields.oneOf<string>(name, positions)];
    });
    for (const [name, position] of moved) this.#positions.set(name, position);
  }

  positions(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#positions);
  }
}
