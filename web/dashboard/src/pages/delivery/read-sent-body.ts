/** What the page reads from the body of a delivery. */
export interface SentBody {
  /** Indented when it is JSON. */
  readonly text: string;
  /** The account that owns the item, when the body says so. */
  readonly ownerId: string | undefined;
  /** A test of a receiver, which concerns no item. */
  readonly isTest: boolean;
}

/** `body` is what was sent, byte for byte. Never throws: a body that is no event is shown unchanged. */
export function readSentBody(body: string): SentBody {
  const parsed = parse(body);
  if (parsed === undefined) return { text: body, ownerId: undefined, isTest: false };
  const data = fieldOf(parsed, 'data');
  const ownerId = fieldOf(fieldOf(data, 'account'), 'serviceUserId');
  return {
    text: JSON.stringify(parsed, null, 2),
    ownerId: typeof ownerId === 'string' ? ownerId : undefined,
    isTest: fieldOf(data, 'test') === true,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
