import { endpointId, type EndpointId } from '../../core/ids.ts';
import type { ScopedCall } from '../http/route.ts';

/** The endpoint of the path; null on the paths of the account-level URL, which have no id. */
export const targetOf = ({ params }: ScopedCall): EndpointId | null =>
  params['id'] === undefined ? null : endpointId(params['id']);
