import type { Binder } from '../bind.ts';
import { readUsage } from './read-usage.ts';

export const bindUsage = ({ bind }: Binder) => ({
  read: bind(readUsage),
});
