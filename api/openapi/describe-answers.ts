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
    const described = describeAnswer(route, answer, components);
    return [status, { ...described, ...(Object.keys(links).length > 0 && { links }) }] as const;
  });
  return Object.fromEntries([...describeRefusals(route, components), ...answers]);
}

/** A 200 beside a 202 is the answer without effect (`validateOnly`, `dryRun`). */
const isDryRun = ({ answers }: Route, status: number): boolean => status === 200 && Object.hasOwn(answers, 202);

function describeAnswer(
  route: Route,
  { description, schema, contentType, headers = {} }: DescribedAnswer,
  components: Components,
): Json {
  const all = { ...describeHeaders(route, headers, components), ...describeReplay(route, components) };
  const answer = { description, headers: all };
  if (schema !== undefined) return { ...answer, content: { 'application/json': { schema: components.refer(schema) } } };
  if (contentType === undefined) return answer;
  return { ...answer, content: { [contentType]: { schema: { type: 'string', format: 'binary' } } } };
}
