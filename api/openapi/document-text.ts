import type { Route } from '../http/route.ts';
import { buildDocument } from './build-document.ts';

/** The document in the form committed in docs/openapi.json, for reviews. */
export const documentText = (routes: readonly Route[]): string => `${JSON.stringify(buildDocument(routes), null, 2)}\n`;
