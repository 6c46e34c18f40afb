import type { Route } from '../http/route.ts';
import { buildDocument } from './build-document.ts';

/** The document as it is committed in docs/openapi.json, to be read in reviews. */
export const documentText = (routes: readonly Route[]): string => `${JSON.stringify(buildDocument(routes), null, 2)}\n`;
