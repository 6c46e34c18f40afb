import Type from 'typebox';
import { idLengthMax } from '../../schemas/webhooks/webhook-delivery.ts';
import type { Parameter } from '../http/route.ts';

/** A parameter of a path that accepts any text: what is unknown is 404. */
export const anyText = (description: string, example: string): Parameter => ({
  description,
  schema: Type.String({ examples: [example] }),
});

/** A longer value is an unknown id: 404. */
export const endpointParams: Readonly<Record<string, Parameter>> = {
  id: {
    component: 'WebhookEndpointId',
    description: 'Id of the endpoint',
    schema: Type.String({ minLength: 1, maxLength: 36, examples: ['0d9c8f6e-3c1b-4e7d-9a52-6f1e2b3c4d5e'] }),
  },
};

/** The ids of the log have no fixed form. */
export const deliveryParam = (component: string, description: string, example: string): Parameter => ({
  component,
  description,
  schema: Type.String({ minLength: 1, maxLength: idLengthMax, examples: [example] }),
});
