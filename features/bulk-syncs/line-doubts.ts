import type { FileRemark } from './rules/bulk-sync.ts';
import { doubtsAbout } from '../../schemas/items/doubts.ts';

/** Counts values that were probably lost before they were sent. A file may have thousands, so each kind is told once. */
export function createLineDoubts() {
  const found = new Map<string, FileRemark>();
  return {
    see: (line: number, externalId: string, title: string): void => {
      for (const doubt of doubtsAbout(externalId, title)) {
        const kind = `${doubt.field} ${doubt.code}`;
        const known = found.get(kind) ?? { ...doubt, line, count: 0 };
        found.set(kind, { ...known, count: known.count + 1 });
      }
    },
    remarks: (): readonly FileRemark[] => [...found.values()].toSorted((one, other) => one.line - other.line),
  };
}
