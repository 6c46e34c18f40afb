import Type from 'typebox';
import { compileReader } from './compile-schema.ts';

/** The body of `POST /integration/v1/sandbox/items/{external_id}/sell`. */
export const sandboxSaleSchema = Type.Object(
  {
    price: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description:
          'The winning bid in whole kronor; left out: the start price, or one krona more than the highest bid',
        examples: [450],
      }),
    ),
  },
  {
    $id: 'SandboxSale',
    title: 'SandboxSale',
    description: 'A buyer at the simulated marketplace',
    additionalProperties: false,
  },
);

/** Throws `VALIDATION_FAILED`. */
export const readSandboxSale = compileReader(sandboxSaleSchema);

export const sandboxAnswerSchema = Type.Object(
  {
    success: Type.Boolean({ description: 'Always true: a refusal is an error body' }),
    message: Type.String({ examples: ['Auction ended; its sale is told within a minute'] }),
  },
  {
    $id: 'SandboxAnswer',
    title: 'SandboxAnswer',
    description: 'It has happened at the simulated marketplace; events and orders follow with the next look at it',
  },
);
