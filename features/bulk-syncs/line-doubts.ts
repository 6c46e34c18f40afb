import type { FileRemark } from './rules/bulk-sync.ts';
import { doubtsAbout } from '../../schemas/items/doubts.ts';

/** Counts values that were probably lost before they were sent. A file may have thousands, so each kind is told once. */
export function createLineDoubts() {
  const found = new Map<string, FileRemark>();
  return {
    see: (line: number, externalId: string, title: string): void => {
      for (const { field, kind, message } of doubtsAbout(externalId, title)) {
        const known = found.get(`${field} ${kind}`) ?? { field, message, line, count: 0 };
        found.set(`${field} ${kind}`, { ...known, count: known.count + 1 });
      }
    },
    remarks: (): readonly FileRemark[] => [...found.values()].toSorted((one, other) => one.line - other.line),
  };
}
