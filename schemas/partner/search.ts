import Type from 'typebox';
import { problem, told } from '../../features/rules/field-problems.ts';
import { listEntrySchema, readItemListQuery, type ItemListQuery } from '../items/item-list.ts';
import { orderSchema } from '../orders/order.ts';
import { badQuery, BadValue, readQuery } from '../query.ts';
import { listedMemberSchema } from '../resellers/member-list.ts';
import { textLengthMax } from '../fields.ts';
import { webhookDeliverySchema } from '../webhooks/webhook-delivery.ts';

/** Most results of each kind. */
export const foundMax = 5;

const some = { maxItems: foundMax };

export const searchAnswerSchema = Type.Object(
  {
    items: Type.Array(listEntrySchema, { ...some, description: 'The newest first' }),
    orders: Type.Array(orderSchema, { ...some, description: 'The one of that id, else the newest of the items found' }),
    deliveries: Type.Array(webhookDeliverySchema, {
      ...some,
      description: 'Attempts of the delivery of that id, else the newest about the items found',
    }),
    members: Type.Array(listedMemberSchema, { ...some, description: 'Of a reseller that acts for itself' }),
  },
  { $id: 'SearchAnswer', title: 'SearchAnswer', description: 'A few of each kind that fit what was typed' },
);

export const searchParameters = {
  q: {
    required: true,
    description:
      'What somebody types: words and parts of words of items, an external id or its beginning, the id of an order (`ord_…`) or of a delivery (`dlv_…`), a name or reference of a member',
    schema: Type.String({ minLength: 1, maxLength: textLengthMax, examples: ['GBG-5002'] }),
  },
} as const;

export interface SearchQuery {
  readonly q: string;
  readonly items: ItemListQuery;
}

const typed = (raw: string): string | BadValue =>
  raw.trim() === '' || raw.length > textLengthMax
    ? new BadValue(told('nothing_to_search', { max: textLengthMax }))
    : raw.trim();

/** Throws Refusal BAD_REQUEST. */
export function readSearchQuery(query: Readonly<Record<string, string>>): SearchQuery {
  const { q } = readQuery(query, { q: typed });
  if (q === undefined) throw badQuery([problem('q', 'required')]);
  return { q, items: readItemListQuery({ q, limit: String(foundMax) }) };
}
