/** The fields of an endpoint that show its state. */
interface EndpointFacts {
  readonly active: boolean;
  readonly failCount: number;
  readonly disabledAt: string | null;
  readonly warning: object | null;
}

/**
 * disabled: by the service; paused: by its owner; warned: about to be disabled; failing: the latest delivery was given
 * up; working: no problem.
 */
export type EndpointState = 'working' | 'failing' | 'warned' | 'paused' | 'disabled';

/** The state that matters most. */
export function endpointState({ active, failCount, disabledAt, warning }: EndpointFacts): EndpointState {
  if (!active) return disabledAt === null ? 'paused' : 'disabled';
  if (warning !== null) return 'warned';
  return failCount > 0 ? 'failing' : 'working';
}
