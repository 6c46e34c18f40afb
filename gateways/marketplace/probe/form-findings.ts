import { violationsOf } from '../v4-check.ts';
import { v4Operations, type Operation } from '../v4-operations.ts';
import { compareDocument } from './compare-document.ts';
import { judge, noneOf, ofBody, some, unseen, type Finding } from './findings.ts';
import { looksOf, type Looked, type ProbeAnswer } from './look-for-probe.ts';

/** The interface document beside the table of v4-operations.ts. */
export function documentFindings(document: ProbeAnswer | undefined): readonly Finding[] {
  const said = document?.status === 200 ? compareDocument(document.body) : null;
  const finding = (assumption: string, found: readonly string[] | undefined, none: string): Finding => ({
    assumption,
    ...(found === undefined ? unseen('no interface document came') : noneOf(found, { none, label: 'otherwise' })),
  });
  return [
    finding('the interface document has every operation that is used', said?.operations, 'all'),
    finding('it takes what is sent', said?.requests, 'all fields'),
    finding('it answers what is read', said?.answers, withNotShown(said?.notShown ?? [])),
    finding('a listing has no fields that are new', said?.news, 'none'),
  ];
}

const withNotShown = (names: readonly string[]): string =>
  names.length === 0 ? 'all fields' : `all fields that it shows; not shown: ${some(names)}`;

/** One for each kind of answer that came: whether it has the table's form. */
export const formFindings = (looked: Looked): readonly Finding[] =>
  looksOf({ seller: { userId: '', token: '' }, draft: null })
    .filter(({ name, as }) => looked[name]?.status === 200 && as === undefined && name !== 'document')
    .map(({ name, operation }) => {
      const { method, path, answer }: Operation = v4Operations[operation];
      return {
        assumption: `${method} ${path} answers in the known form (${name})`,
        ...ofBody(looked[name], (body) => {
          const found = answer === null ? [] : violationsOf('answer', answer, body);
          const places = found.map(
            ({ place, rule, detail }) => `${place.replaceAll(/\/\d+/g, '/*')} ${rule} ${detail}`,
          );
          return places.length === 0 ? judge(true, 'yes') : judge(false, some([...new Set(places)]));
        }),
      };
    });
