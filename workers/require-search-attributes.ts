import {
  accountIdKey,
  blockedReasonKey,
  endpointKey,
  externalIdKey,
  stageKey,
} from '../workflows/contracts/search-attributes.ts';

const needed: readonly string[] = [accountIdKey, externalIdKey, stageKey, blockedReasonKey, endpointKey].map(
  ({ name }) => name,
);

/** The needed part of a connection to Temporal. */
export interface AttributeLister {
  readonly operatorService: {
    listSearchAttributes(request: { namespace: string }): Promise<{ readonly customAttributes: object }>;
  };
}

/**
 * Throws when the namespace lacks one of our search attributes, because every workflow would fail on it. The error names the
 * missing ones and the command that adds them. A server that does not reveal them (operators only, older version) is assumed to
 * have them.
 */
export async function requireSearchAttributes(connection: AttributeLister, namespace: string): Promise<void> {
  const known = await listKnown(connection, namespace);
  if (known === undefined) return;
  const missing = needed.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  throw new Error(
    `Temporal's namespace ${namespace} lacks the search attributes ${missing.join(', ')}: run deploy/temporal/register.sh, ` +
      `or for each: temporal operator search-attribute create --namespace ${namespace} --type Keyword --name NAME`,
  );
}

/** PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED in gRPC: the server does not reveal its attributes. */
const untold: ReadonlySet<unknown> = new Set([7, 12, 16]);

async function listKnown(
  { operatorService }: AttributeLister,
  namespace: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return new Set(Object.keys(customAttributes));
  } catch (error) {
    if (error instanceof Error && 'code' in error && untold.has(error.code)) return undefined;
    throw error;
  }
}
