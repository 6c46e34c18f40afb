export interface SavedFilter {
  readonly name: string;
  /** The search of the address, with its question mark. */
  readonly search: string;
}

const keyOf = (list: string): string => `filters ${list}`;
const savedMax = 20;

/** The saved filters of one account's list, from this browser. */
export function readSaved(list: string): readonly SavedFilter[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]');
    return Array.isArray(found) ? found.filter(isSaved) : [];
  } catch {
    // Nothing is saved, or another program wrote there.
    return [];
  }
}

/** Saves them in this browser. */
export function writeSaved(list: string, saved: readonly SavedFilter[]): void {
  try {
    localStorage.setItem(keyOf(list), JSON.stringify(saved.slice(-savedMax)));
  } catch {
    // The page has no storage, so they last as long as the page.
  }
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('search' in value)) return false;
  return typeof value.name === 'string' && typeof value.search === 'string' && value.search.startsWith('?');
}
