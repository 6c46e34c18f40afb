import Type from 'typebox';
import { idLengthMax } from '../../schemas/webhooks/webhook-delivery.ts';
import type { Parameter } from '../http/route.ts';

/** A longer value is an unknown id: 404. */
export const endpointParams: Readonly<Record<string, Parameter>> = {
  id: { description: 'Id of the endpoint', schema: Type.String({ minLength: 1, maxLength: 36 }) },
};

/** The ids of the log have no fixed form. */
export const deliveryParam = (description: string): Parameter => ({
  description,
  schema: Type.String({ minLength: 1, maxLength: idLengthMax }),
});
