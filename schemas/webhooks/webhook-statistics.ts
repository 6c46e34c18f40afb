import Type from 'typebox';
import { time } from '../fields.ts';

const nullable = (type: 'integer' | 'number', description: string) =>
  Type.Unsafe<number | null>({ type: [type, 'null'], description, ...(type === 'number' && { format: 'double' }) });

const receiverSchema = Type.Object(
  {
    endpointId: Type.Optional(Type.String({ description: 'Left out for the account-level URL' })),
    attempts: Type.Integer({ description: 'Attempts that are counted: the newest 500 of the period at most' }),
    succeeded: Type.Integer({ description: 'Of these, those that succeeded' }),
    successRate: nullable('number', '`succeeded` by `attempts`, 0 to 1; null without attempts'),
    medianMs: nullable('integer', 'Half of the answers came within this time; null without answers'),
    p95Ms: nullable('integer', '95 of 100 answers came within this time; null without answers'),
    from: time('Since then every attempt is counted'),
  },
  { $id: 'WebhookReceiverStatistics', description: 'How a receiver took its attempts' },
);

/** The answer of `GET /integration/webhook-statistics`. */
export const webhookStatisticsSchema = Type.Object(
  {
    from: time('Beginning of the period'),
    to: time('End of the period: now'),
    receivers: Type.Array(receiverSchema, {
      description:
        'The account-level URL when it had attempts, then every endpoint, oldest first; or the one asked for',
    }),
  },
  { $id: 'WebhookStatistics', description: 'How the receivers of an account took the last seven days' },
);
