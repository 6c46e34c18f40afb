export const memberOrders = ['joined', 'name', 'reference', 'connection', 'failing', 'missed', 'sales'] as const;
export type MemberOrder = (typeof memberOrders)[number];

type SortValue = string | number;

/** A position in the sorted list; the next page begins after it. */
export interface MemberPlace {
  readonly value: SortValue;
  readonly id: string;
}

/** Numbers in descending order, texts in Swedish order. Equal values are ordered by the members' ids. */
export function comparePlaces(one: MemberPlace, other: MemberPlace): number {
  const byValue =
    typeof one.value === 'number' && typeof other.value === 'number'
      ? other.value - one.value
      : swedish.compare(String(one.value), String(other.value));
  if (byValue !== 0) return byValue;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

const swedish = new Intl.Collator('sv', { numeric: true });

interface Named {
  readonly memberName: string;
  readonly externalId: string;
}

/** Whether every word of the text is a part of the member's name or reference. Case and marks (`å`) don't count. */
export function isMemberFound({ memberName, externalId }: Named, text: string): boolean {
  const searched = plain(`${memberName} ${externalId}`);
  return plain(text)
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
