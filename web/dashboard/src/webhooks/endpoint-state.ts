/** What of an endpoint says how it stands. */
interface EndpointFacts {
  readonly active: boolean;
  readonly failCount: number;
  readonly disabledAt: string | null;
  readonly warning: object | null;
}

/**
 * disabled: the service switched it off; paused: its owner did; warned: it is on its way to being switched off; failing: the latest
 * delivery was given up; working: nothing is wrong.
 */
export type EndpointState = 'working' | 'failing' | 'warned' | 'paused' | 'disabled';

export function endpointState({ active, failCount, disabledAt, warning }: EndpointFacts): EndpointState {
  if (!active) return disabledAt === null ? 'paused' : 'disabled';
  if (warning !== null) return 'warned';
  return failCount > 0 ? 'failing' : 'working';
}
