import {
  accountIdKey,
  blockedReasonKey,
  endpointKey,
  externalIdKey,
  memberKey,
  stageKey,
} from '../workflows/contracts/search-attributes.ts';

const needed: readonly string[] = [accountIdKey, memberKey, externalIdKey, stageKey, blockedReasonKey, endpointKey].map(
  ({ name }) => name,
);

/** As much of a connection to Temporal as is needed here. */
export interface AttributeLister {
  readonly operatorService: {
    listSearchAttributes(request: { namespace: string }): Promise<{ readonly customAttributes: object }>;
  };
}

/**
 * Throws, naming what is missing and how it is added, when the namespace lacks one of our search attributes: each workflow would fail
 * at it. A server that doesn't say (operators only, an older one) is believed to have them.
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

/** PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED in gRPC. */
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
