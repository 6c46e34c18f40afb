import type { FileRemark } from './file-findings.ts';

/** What the rows of a file may have: told once, with the first line and the number of cells or rows. */
export type NoteKind = 'guardedCells' | 'severalAddresses' | 'archivedRows' | 'cutFile' | 'totalsRow';

/** Counts what is noticed while rows are read. */
export class ReadingNotes {
  readonly #found = new Map<NoteKind, { readonly line: number; count: number }>();

  add(kind: NoteKind, line: number): void {
    const known = this.#found.get(kind);
    if (known === undefined) this.#found.set(kind, { line, count: 1 });
    else known.count += 1;
  }

  remarks(): readonly FileRemark[] {
    return [...this.#found].map(([kind, { line, count }]) => ({ kind, line, count }));
  }
}
