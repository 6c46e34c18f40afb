import { useMemo, useState } from 'preact/hooks';

/** Rows that a person has chosen. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly set: (ids: readonly string[]) => void;
}

/** Chosen rows among those shown; a row that leaves the list is no longer chosen. */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const key = shown.join('\n');
  const ids = useMemo(() => new Set(shown.filter((id) => chosen.has(id))), [chosen, key]);
  return {
    ids,
    toggle: (id) => {
      setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
    },
    set: (wanted) => {
      setChosen(new Set(wanted));
    },
  };
}
