import { randomFrom } from '../../support/random-from.ts';
import { aLine } from './bulk-calls.ts';

/** A line that is accepted, of so many bytes. */
export const ofSize = (externalId: string, bytes: number): string => {
  const line = JSON.stringify(aLine(externalId, { description: '' }));
  return line.replace('"description":""', `"description":"${noise(bytes - line.length - 1)}"`);
};

const random = randomFrom(1);

/** Text that packs to about two thirds: what an attacker would not send, and a limit on ratios must not refuse. */
const noise = (length: number): string =>
  Array.from({ length: Math.ceil(length / 6) }, () => random().toString(36).slice(2).padEnd(6, 'x').slice(0, 6))
    .join('')
    .slice(0, length);
