export type PathParams = Readonly<Record<string, string>>;

/**
 * The values of a pattern such as `/dashboard/items/:externalId` in a percent-encoded path; undefined when it does not
 * match.
 */
export function matchPath(pattern: string, path: string): PathParams | undefined {
  const [wanted, given] = [partsOf(pattern), partsOf(path)];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decode(given[index] ?? '');
    if (part.startsWith(':') && value !== undefined) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
