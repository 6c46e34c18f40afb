import type { ListLoggedCallsData } from '../../../../../client/generated/types.gen.ts';
import { beginningOf, endOf } from '../../period/stockholm-day.ts';

/** Parameters by name. */
type Address = Readonly<Record<string, string>>;
type RequestQuery = NonNullable<ListLoggedCallsData['query']>;

/** The choices of the filter: all failures, failures of the caller, failures of the service, and successes. */
export const callStatuses = ['refused', '4xx', '5xx', '2xx'] as const;

/**
 * The filters of the address in the form of the service; values that it would refuse are left out. Days are Swedish,
 * both included.
 */
export function requestQuery({ status, path = '', keyId = '', from = '', to = '' }: Address): RequestQuery {
  const wanted = callStatuses.find((one) => one === status);
  const since = beginningOf(from);
  const until = endOf(to);
  return {
    ...(wanted !== undefined && { status: wanted }),
    ...(path !== '' && { path }),
    ...(keyId !== '' && { keyId }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

export const noRequestFilters = {
  status: undefined,
  path: undefined,
  keyId: undefined,
  from: undefined,
  to: undefined,
};
