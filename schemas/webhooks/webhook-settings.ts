import Type from 'typebox';
import { compileReader } from '../compile-schema.ts';

const nullableUrl = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 2_048,
  format: 'https-url',
  description: 'HTTPS address that takes every specified event of the account; null for none',
});

/** Source: specification "Webhook settings". */
export const webhookSettingsSchema = Type.Object(
  {
    webhookUrl: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    webhookSecret: Type.String({ description: 'In full in the answer that generated it, later masked' }),
  },
  { $id: 'WebhookSettings' },
);

/** Unknown fields are ignored, so that a caller may send the read settings back with a changed URL. */
export const webhookSettingsChangeSchema = Type.Object({ webhookUrl: nullableUrl }, { $id: 'WebhookSettingsChange' });

export const successSchema = Type.Object({ success: Type.Boolean() }, { $id: 'Success' });

/** Throws VALIDATION_FAILED. */
export const readWebhookSettingsChange = compileReader(webhookSettingsChangeSchema);
