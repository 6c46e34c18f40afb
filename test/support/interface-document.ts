import { buildDocument } from '../../api/openapi/build-document.ts';
import { routes } from '../../api/routes.ts';

const document = buildDocument(routes);

/** The interface document as tools read it: shared parameters, headers and answers in their places. Schemas stay references. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- each test looks at another part of it
export const interfaceDocument = <Shape>(): Shape => inPlace(document) as Shape;

function inPlace(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inPlace);
  if (typeof part !== 'object' || part === null) return part;
  if ('$ref' in part && typeof part.$ref === 'string' && !part.$ref.startsWith('#/components/schemas/'))
    return inPlace(target(part.$ref));
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inPlace(value)]));
}

function target(reference: string): unknown {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found;
}
