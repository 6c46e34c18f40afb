import Type from 'typebox';

import { text } from '../text.ts';

/** Source: specification "electronics"; `computers` has the same shape. */
export const electronicsAttributes = Type.Object({
  serialNumber: Type.Optional(text({ description: 'Device serial number', examples: ['F2LX9K7QPL'] })),
  memoryGb: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      description: 'Storage in GB; for computers storage or RAM, depending on context',
      examples: [128],
    }),
  ),
  batteryHealthPercentage: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Battery health in percent', examples: [87] }),
  ),
});
