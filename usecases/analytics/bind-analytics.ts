import type { Binder } from '../bind.ts';
import { readAnalytics } from './read-analytics.ts';

export const bindAnalytics = ({ bind }: Binder) => ({
  read: bind(readAnalytics),
});
