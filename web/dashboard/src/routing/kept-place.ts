/** How far a list was shown, and where its reader was in it. */
interface KeptPlace {
  readonly pageCount: number;
  readonly scrollY: number;
}

const places = new Map<string, KeptPlace>();
let hasComeBack = false;

const here = (): string => location.pathname + location.search;
const placeHere = (): KeptPlace => places.get(here()) ?? { pageCount: 1, scrollY: 0 };

/** Before another page takes the place of this one. */
export function keepScroll(): void {
  places.set(here(), { ...placeHere(), scrollY });
  hasComeBack = false;
}

/** The browser's back or forward led here. */
export function noteReturn(): void {
  hasComeBack = true;
}

/** So many pages of the list at this address are shown now. */
export function keepPageCount(pageCount: number): void {
  places.set(here(), { ...placeHere(), pageCount });
}

/** Where the person was at this address before; undefined for who did not come back to it. */
export const keptPlace = (): KeptPlace | undefined => (hasComeBack ? places.get(here()) : undefined);
