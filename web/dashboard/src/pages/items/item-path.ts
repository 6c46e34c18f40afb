const listPath = '/dashboard/items';

/** Address of the list; for a member's items when a reseller looks at them. */
export const itemsPath = (member: string | undefined): string => listPath + searchOf(member);

export const draftsPath = `${listPath}?serviceStatus=draft`;

/** Address of an item's page. */
export const itemPath = (externalId: string, member: string | undefined): string =>
  `${listPath}/${encodeURIComponent(externalId)}${searchOf(member)}`;

const searchOf = (member: string | undefined): string =>
  member === undefined ? '' : `?member=${encodeURIComponent(member)}`;
