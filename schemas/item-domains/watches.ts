import Type from 'typebox';

import { text } from '../text.ts';

/** Source: specification "watches". */
export const watchesAttributes = Type.Object({
  brand: Type.Optional(text({ description: 'Watch brand', examples: ['Halda'] })),
  modelReference: Type.Optional(text({ description: 'Model reference number', examples: ['2005-31'] })),
  movementType: Type.Optional(
    Type.Enum(['automatic', 'quartz', 'manual'], { $id: 'MovementType', description: 'Movement' }),
  ),
  caseSizeMm: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Case diameter in mm', examples: [38] }),
  ),
});
