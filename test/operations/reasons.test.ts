import { readFileSync } from 'node:fs';
import test from 'ava';
import {
  asCode,
  explainReceiver,
  explainRest,
  explainWait,
  plainDuration,
  plainTime,
  plainWords,
  type ExplainedReceiver,
} from '../../features/operations/rules/explain-wait.ts';
import { blockedReasons, textOfReason } from '../../features/operations/rules/reasons.ts';

const page = readFileSync('docs/operations.md', 'utf8');
const anchors = [...page.matchAll(/^##? (.+)$/gm)].map(([, heading]) =>
  (heading ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .trim()
    .replaceAll(' ', '-'),
);

for (const reason of blockedReasons) {
  test(`${reason} has a runbook in docs/operations.md whose list names it`, (t) => {
    const { runbook } = textOfReason(reason);
    t.true(anchors.includes(runbook), runbook);
    const lists = [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, query]) => query ?? '').join('\n');
    t.true(lists.includes(`'${reason}'`) || lists.includes("Stage = 'failing'"), reason);
  });

  test(`${reason} says what, why and what to do in whole sentences`, (t) => {
    const { what, why, whatToDo } = textOfReason(reason);
    t.regex(what, /^[^.]+$/);
    t.regex(why, /^[A-Z].+\.$/s);
    t.regex(whatToDo, /^[A-Z].+\.$/s);
    t.notRegex(`${what} ${why} ${whatToDo}`, / {2}|undefined/);
  });
}

test('a reason of a newer version is told by its name', (t) => {
  t.is(textOfReason('new_kind_of_wait').what, 'new kind of wait');
});

// specification: details-in-plain-words
test('a wait is told with its beginning, its end at the latest, the tries, the last error and what to do', (t) => {
  const text = explainWait({
    reason: 'marketplace',
    attempts: 7,
    lastError: 'MARKETPLACE_TIMEOUT: no answer',
    since: new Date('2026-11-22T07:00:00Z'),
    until: new Date('2026-11-22T07:10:00Z'),
  });
  t.true(text.startsWith('**Waiting for the marketplace to respond** (`marketplace`)\n\n- **Why:** '), text);
  t.true(text.includes('- **Since:** 2026-11-22 07:00:00 UTC\n'), text);
  t.true(text.includes('- **Looked at again:** 2026-11-22 07:10:00 UTC at the latest'), text);
  t.true(text.includes('- **Tries:** 7\n'), text);
  t.true(text.includes('- **Last error:** `MARKETPLACE_TIMEOUT: no answer`'), text);
  t.true(text.includes('- **What to do:** '), text);
});

test('what is not known of a wait is left out', (t) => {
  const text = explainWait({ reason: 'marketplace', since: null, until: null, lastError: null });
  t.notRegex(text, /Since|Looked|Tries|Last error/);
  t.notRegex(explainRest({ reason: 'images', lastError: null }), /Last error/);
});

/** An endpoint that answers every attempt with an error. */
const aReceiver: ExplainedReceiver = {
  reason: 'receiver',
  origin: 'https://erp.example',
  target: 'whk_1',
  since: '2026-11-22T07:00:00.000Z',
  waiting: 1_200,
  oldestAt: '2026-11-22T07:01:00.000Z',
  retrying: 15,
  nextAttemptAt: '2026-11-22T07:10:00.000Z',
  failCount: 7,
  disabledAt: 15,
  missed: 0,
  lastError: 'HTTP 503',
};

// specification: details-in-plain-words
test('a receiver in trouble is told with its queue, its oldest, the next attempt, the last error and what to do', (t) => {
  const text = explainReceiver(aReceiver);
  for (const told of [
    '`whk_1`',
    '**Since:** 2026-11-22 07:00:00 UTC',
    '1200, the oldest since 2026-11-22 07:01:00 UTC',
    '15, the next attempt at 2026-11-22 07:10:00 UTC',
    '7; an endpoint is disabled at 15',
    '**Last error:** `HTTP 503`',
    '**Why:** ',
    '**What to do:** ',
  ])
    t.true(text.includes(told), `${told}\n${text}`);
  t.notRegex(text, /Missed/);
});

test('what is not known of a receiver is left out, and what it missed is told', (t) => {
  const text = explainReceiver({ ...aReceiver, oldestAt: null, nextAttemptAt: null, lastError: null, missed: 31 });
  t.notRegex(text, /oldest since|next attempt|Last error/);
  t.true(text.includes('**Missed:** 31 events'), text);
});

for (const [what, from, to] of [
  ['a query', 'GET https://a.test/hook?token=geheim failed', 'GET https://a.test/hook failed'],
  ['user and password', 'mongodb://root:geheim@db:27017/x is away', 'mongodb://db:27017/x is away'],
  ['a fragment', 'https://a.test/x#geheim', 'https://a.test/x'],
  ['an API key', 'key sk_live_abc123 refused', 'key sk_live_… refused'],
  ['a signing secret', 'whsec_YWJj is wrong', 'whsec_… is wrong'],
] as const) {
  test(`${what} is taken out of somebody else's words`, (t) => {
    const told = plainWords(from);
    t.notRegex(told, /geheim|abc123|YWJj/);
    t.is(told, to);
  });
}

test('of a long text only the beginning is looked at, so that the work is bounded', (t) => {
  t.is(plainWords('a.'.repeat(50_000)).length, 300);
  // White space is taken out first: what stands behind that much of it would be shown if it were looked at.
  t.is(plainWords(`${' '.repeat(2_000)}behind`), '');
  t.is(plainWords(`${'?'.repeat(10)}${' '.repeat(1_970)} https://user:geheim@a.test/`), '?'.repeat(10));
});

// specification: details-in-plain-words
test('somebody else’s words stay on one short line and are no Markdown', (t) => {
  const told = plainWords(`# **big**\n[link](x) ${'x'.repeat(1_000)}`);
  t.is(told.length, 300);
  t.notRegex(told, /[\n*[\]#]/);
});

for (const link of [
  'https://a.test/x',
  'www.a.test',
  '[log in](https://a.test)',
  '` https://a.test `',
  '\\` <a@a.test>',
])
  test(`somebody else’s words are no link for operators: ${link}`, (t) => {
    const error = { lastError: `see ${link}` };
    const since = new Date(0);
    for (const text of [
      asCode(`see ${link}`),
      explainWait({ reason: 'images', since, until: since, ...error }),
      explainRest({ reason: 'images', ...error }),
      explainReceiver({ ...aReceiver, ...error }),
    ]) {
      // What is left when spans of code are taken out is what Markdown makes links of.
      t.notRegex(text.replace(/`[^`\n]+`/g, ''), /a\.test/, text);
      t.is((text.match(/`/g)?.length ?? 0) % 2, 0, text);
    }
  });

test('times and durations are written out', (t) => {
  t.is(plainTime(new Date('2026-11-22T07:10:03.456Z')), '2026-11-22 07:10:03 UTC');
  t.deepEqual([0, 1_000, 61_000, 3_600_000, 200_000_000].map(plainDuration), [
    '0 seconds',
    '1 second',
    '1 minute',
    '1 hour',
    '2 days',
  ]);
});
