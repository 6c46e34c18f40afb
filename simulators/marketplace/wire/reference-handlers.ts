import { findCategory } from '../rules/categories.ts';
import {
  attributesOnWire,
  bidderTypes,
  categoriesOnWire,
  fieldValues,
  itemTypes,
  shippingOptions,
} from '../rules/reference-data.ts';
import { pathNumber } from './check-request.ts';
import { interfaceDocument } from './interface-document.ts';
import { notFound } from './refusals.ts';
import type { WireHandler } from './wire-call.ts';
import { wireTime } from './wire-time.ts';

export const referenceHandlers = {
  readInterfaceDocument: () => interfaceDocument,
  readTime: ({ world, now }) => wireTime(now, world.switches),
  readBidderTypes: () => bidderTypes,
  readItemTypes: () => itemTypes,
  readFieldValues: () => fieldValues,
  readShippingOptions: ({ query }) => shippingOptions(query.texts('fromCountryCodes')),
  readCategories: () => categoriesOnWire(),
  readAttributeDefinitions({ request }) {
    const categoryId = pathNumber(request, 'categoryId');
    const category = findCategory(categoryId);
    if (category === undefined) throw notFound(`category ${categoryId}`);
    return attributesOnWire(category);
  },
} satisfies Record<string, WireHandler>;
