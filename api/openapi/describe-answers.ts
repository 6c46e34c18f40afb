import Type, { type TSchema } from 'typebox';
import type { DescribedAnswer, Route } from '../http/route.ts';
import type { Components } from './components.ts';
import { describeHeaders, describeReplay } from './describe-headers.ts';
import { describeLinks } from './describe-links.ts';
import { describeRefusals } from './describe-refusals.ts';

type Json = Readonly<Record<string, unknown>>;

/** `responses` of an operation: the answers of its row, and its refusals. */
export function describeAnswers(route: Route, components: Components, routes: readonly Route[]): Json {
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const links = isDryRun(route, Number(status)) ? {} : describeLinks(route, answer.schema, routes);
    const described = describeAnswer(route, { ...answer, ...bodyOf(route, Number(status)) }, components);
    return [status, { ...described, ...(Object.keys(links).length > 0 && { links }) }] as const;
  });
  return Object.fromEntries([...describeRefusals(route, components), ...answers]);
}

/** A 200 beside a 202 is the answer without effect (`validateOnly`, `dryRun`). */
const isDryRun = ({ answers }: Route, status: number): boolean => status === 200 && Object.hasOwn(answers, 202);

/**
 * The body of a dry run, or that of the 202. Generators for Java and TypeScript read every success by the lowest status: with the
 * dry run's body alone, each PUT that was stored would end there in an error.
 */
function bodyOf(route: Route, status: number): { readonly schema?: TSchema } {
  const [dry, done] = [route.answers[status]?.schema, route.answers[202]?.schema];
  if (!isDryRun(route, status) || dry === undefined || done === undefined) return {};
  const $id = `${nameOf(done)}Or${nameOf(dry)}`;
  return { schema: Type.Unsafe({ $id, oneOf: [done, dry], description: 'The second one when it was only a check' }) };
}

function nameOf(schema: TSchema): string {
  if (!('$id' in schema) || typeof schema.$id !== 'string') throw new Error('the body of an answer needs an $id');
  return schema.$id;
}

function describeAnswer(
  route: Route,
  { description, schema, contentType, headers = {} }: DescribedAnswer,
  components: Components,
): Json {
  const all = { ...describeHeaders(route, headers, components), ...describeReplay(route, components) };
  const answer = { description, headers: all };
  const type = contentType ?? 'application/json';
  if (schema !== undefined) return { ...answer, content: { [type]: { schema: components.refer(schema) } } };
  if (contentType === undefined) return answer;
  return { ...answer, content: { [contentType]: { schema: { type: 'string', format: 'binary' } } } };
}
