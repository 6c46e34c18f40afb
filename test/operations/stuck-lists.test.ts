import test from 'ava';
import { blockedReasons } from '../../features/operations/rules/reasons.ts';
import { everythingStuck, stuckLists } from '../../features/operations/rules/stuck-lists.ts';
import { createListPages } from '../../gateways/orchestrator/workflow-pages.ts';

test('there is a list of everything that is stuck, and one for each reason but a start that was chosen', (t) => {
  const names = stuckLists.map(({ name }) => name);
  t.is(names[0], 'everything');
  for (const reason of blockedReasons) t.is(names.includes(reason), reason !== 'start_time', reason);
  t.is(new Set(names).size, names.length);
});

test('the address of a list carries its query whole', (t) => {
  const url = new URL(createListPages({ uiUrl: 'https://ui.example', namespace: 'a/b' })(everythingStuck.query));
  t.is(url.pathname, '/namespaces/a%2Fb/workflows');
  t.is(url.searchParams.get('query'), "ExecutionStatus = 'Running' AND BlockedReason IS NOT NULL");
});
