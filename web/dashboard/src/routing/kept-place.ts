/** How much of a list was shown, and the scroll position. */
interface KeptPlace {
  readonly pageCount: number;
  readonly scrollY: number;
}

const places = new Map<string, KeptPlace>();
let hasComeBack = false;

const here = (): string => location.pathname + location.search;
const placeHere = (): KeptPlace => places.get(here()) ?? { pageCount: 1, scrollY: 0 };

/** Call it before another page replaces this one. */
export function keepScroll(): void {
  places.set(here(), { ...placeHere(), scrollY });
  hasComeBack = false;
}

/** Call it when the browser's back or forward was used. */
export function noteReturn(): void {
  hasComeBack = true;
}

/** Notes the number of shown pages of the list at this address. */
export function keepPageCount(pageCount: number): void {
  places.set(here(), { ...placeHere(), pageCount });
}

/** The person's earlier place at this address; undefined unless the person has returned to it. */
export const keptPlace = (): KeptPlace | undefined => (hasComeBack ? places.get(here()) : undefined);
