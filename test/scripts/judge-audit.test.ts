import { readFileSync } from 'node:fs';
import test from 'ava';
import { present } from '../support/clock.ts';

type Judged = { notRun: string } | { problems: string[]; accepted: string[] };
interface LicencePolicy {
  readonly permissive: readonly string[];
  readonly explained: readonly { readonly package: string; readonly licence: string | null; readonly reason: string }[];
}
const file = new URL('../../scripts/judge-audit.mjs', import.meta.url).href;
const { judgeAdvisories, judgeSignatures, judgeLicences } = (await import(file)) as {
  judgeAdvisories: (report: unknown, allowed: readonly object[], today: string) => Judged;
  judgeSignatures: (report: unknown) => Judged;
  judgeLicences: (packages: Readonly<Record<string, object>>, policy: LicencePolicy) => string[];
};

const policy = JSON.parse(readFileSync('scripts/audit-policy.json', 'utf8')) as {
  allowedAdvisories: { id: string; package: string; reason: string; until: string }[];
  licences: LicencePolicy;
};
const today = '2026-11-22';
const id = 'GHSA-aaaa-bbbb-cccc';
const report = (severity: string) => ({
  auditReportVersion: 2,
  vulnerabilities: {
    parser: {
      via: [{ source: 1, name: 'parser', title: 'bad', url: `https://x.example/${id}`, severity, range: '<2' }],
    },
    user: { via: ['parser'] },
  },
});
const allowed = { id, package: 'parser', reason: 'never reached', until: today };

test('an advisory of high or critical severity is a problem, a lower one is none', (t) => {
  for (const severity of ['high', 'critical'])
    t.deepEqual(judgeAdvisories(report(severity), [], today), {
      problems: [`${id}: parser <2 (${severity}): bad`],
      accepted: [],
    });
  t.deepEqual(judgeAdvisories(report('moderate'), [], today), { problems: [], accepted: [] });
});

test('an advisory on the allow list is accepted with its reason, for its package and until its day', (t) => {
  t.deepEqual(judgeAdvisories(report('high'), [allowed], today), {
    problems: [],
    accepted: [`${id}: parser, until ${today}: never reached`],
  });
  t.deepEqual(judgeAdvisories(report('high'), [{ ...allowed, until: '2026-11-21' }], today), {
    problems: [`${id}: accepted only until 2026-11-21`],
    accepted: [],
  });
  t.like(judgeAdvisories(report('high'), [{ ...allowed, package: 'other' }], today), { problems: { length: 1 } });
});

test('a registry that does not answer is no pass', (t) => {
  const silent = [undefined, null, {}, { error: { summary: 'no such host' } }, { message: '405 Method Not Allowed' }];
  for (const answer of silent) {
    t.true('notRun' in judgeAdvisories(answer, [], today), JSON.stringify(answer));
    t.true('notRun' in judgeSignatures(answer), JSON.stringify(answer));
  }
});

test('a wrong signature is a problem, a missing one is told', (t) => {
  const named = { name: 'parser', version: '1.0.0' };
  t.deepEqual(judgeSignatures({ invalid: [named], missing: [] }), {
    problems: ['parser@1.0.0: its signature is wrong'],
    accepted: [],
  });
  t.deepEqual(judgeSignatures({ invalid: [], missing: [named] }), {
    problems: [],
    accepted: ['parser@1.0.0: not signed'],
  });
});

test('a licence of production that is not permissive needs an explanation; what only develops may have any', (t) => {
  const packages = {
    '': {},
    'node_modules/a': { license: 'MIT' },
    'node_modules/b': { license: '(MIT OR Apache-2.0)' },
    'node_modules/c': { license: 'GPL-3.0' },
    'node_modules/c/node_modules/d': {},
    'node_modules/e': { license: 'AGPL-3.0', dev: true },
  };
  t.deepEqual(judgeLicences(packages, { permissive: ['MIT', 'Apache-2.0'], explained: [] }), [
    'c: GPL-3.0',
    'd: no licence named',
  ]);
});

test('every exception has a reason, and an advisory also a day not longer than half a year ahead', (t) => {
  for (const one of policy.licences.explained) t.true(one.reason.length > 20, one.package);
  const latest = present(183 * 86_400_000)
    .toISOString()
    .slice(0, 10);
  for (const one of policy.allowedAdvisories) {
    t.regex(one.id, /^GHSA-/);
    t.true(one.reason.length > 20 && /^\d{4}-\d\d-\d\d$/.test(one.until) && one.until <= latest, one.id);
  }
});
