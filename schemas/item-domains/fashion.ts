import Type from 'typebox';

import { text } from '../text.ts';

/** Source: specification "fashion". */
export const fashionAttributes = Type.Object({
  size: Type.Optional(text({ description: 'Size label, free form', examples: ['M', '42'] })),
  material: Type.Optional(text({ description: 'Primary material', examples: ['ull'] })),
  gender: Type.Optional(
    Type.Enum(['mens', 'womens', 'unisex', 'kids'], { $id: 'Gender', description: 'For whom it is made' }),
  ),
});
