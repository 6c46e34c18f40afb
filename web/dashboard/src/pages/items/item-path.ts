const listPath = '/dashboard/items';

/** Address of the list; for a member's items when a reseller looks at them. */
export const itemsPath = (member: string | undefined): string => listPath + searchOf(member);

/** Address of the list of items with that problem; `any` for all that have one. */
export const problemPath = (problem: string, whose: Readonly<Record<string, string>> = {}): string =>
  `${listPath}?${new URLSearchParams({ ...whose, problem }).toString()}`;

/** Address of an item's page. */
export const itemPath = (externalId: string, member: string | undefined): string =>
  `${listPath}/${encodeURIComponent(externalId)}${searchOf(member)}`;

const searchOf = (member: string | undefined): string =>
  member === undefined ? '' : `?member=${encodeURIComponent(member)}`;
