import Type from 'typebox';

const measure = (description: string) =>
  Type.Object({ used: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 0 }) }, { description });

export const usageSchema = Type.Object(
  {
    items: measure('Items of all statuses'),
    images: measure('Hosted images, each once however many items show it'),
    imageBytes: measure('Bytes of the hosted images, in both sizes'),
  },
  { $id: 'PartnerUsage' },
);
