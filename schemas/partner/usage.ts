import Type from 'typebox';

const measure = Type.Object(
  { used: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 0 }) },
  { $id: 'UsageMeasure', description: 'What is stored, and how much may be' },
);

export const usageSchema = Type.Object(
  {
    items: measure,
    images: measure,
    imageBytes: measure,
  },
  {
    $id: 'PartnerUsage',
    description:
      '`items` of all statuses; hosted `images`, each once however many items show it; `imageBytes` in both sizes',
  },
);
