import type { PartnerItem, Timeline, WriteResponse } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { memberQuery } from '../../shell/member-choice.tsx';

/** An item, and its member when a reseller looks at it. */
export interface ItemReference {
  readonly externalId: string;
  readonly member: string | undefined;
}

const call = ({ externalId, member }: ItemReference) => ({
  path: { external_id: externalId },
  query: memberQuery(member),
});

/** With the ETag of the version that was read. */
export type ReadItem = PartnerItem & { readonly etag: string };

/** Rejects as the call does, with 404 for an unknown item. */
export async function readItem(item: ItemReference, signal: AbortSignal): Promise<ReadItem> {
  const { data, response } = await api.getPartnerItem({ ...call(item), signal });
  return { ...data, etag: response.headers.get('etag') ?? '' };
}

interface TimelineRequest {
  /** `nextBefore` of the previous page. */
  readonly before: string | undefined;
  readonly signal: AbortSignal;
}

/** One page of the item's history. */
export async function readTimeline(item: ItemReference, { before, signal }: TimelineRequest): Promise<Timeline> {
  const { path, query } = call(item);
  const page = { ...query, limit: 30, ...(before !== undefined && { before: Number(before) }) };
  return (await api.getPartnerItemTimeline({ path, query: page, signal })).data;
}

export const retryItem = async (item: ItemReference): Promise<WriteResponse> =>
  written((await api.retryPartnerItem(call(item))).data);

export const publishItem = async (item: ItemReference): Promise<WriteResponse> =>
  written((await api.publishPartnerItem(call(item))).data);

export const changeStatus = async (item: ItemReference, status: 'not_listed' | 'sold'): Promise<WriteResponse> =>
  written((await api.updatePartnerItemStatus({ ...call(item), body: { status } })).data);

/** Rejects with 412 when the item has changed since the ETag. */
export const changeQuantity = async (
  item: ItemReference,
  { quantity, etag }: { readonly quantity: number; readonly etag: string },
): Promise<WriteResponse> =>
  written(
    (await api.updatePartnerItemQuantity({ ...call(item), headers: { 'If-Match': etag }, body: { quantity } })).data,
  );

export const deleteItem = async (item: ItemReference): Promise<WriteResponse> =>
  written((await api.deletePartnerItem(call(item))).data);

/** Only a call with `validateOnly` gets another answer. */
function written(answer: WriteResponse | object): WriteResponse {
  if ('itemId' in answer) return answer;
  throw new Error('The service answered a check and not a change');
}
