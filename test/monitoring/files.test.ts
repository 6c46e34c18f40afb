import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { format } from 'oxfmt';
import { createServiceMetrics } from '../../compose/service-metrics.ts';
import { familyOf } from './support/exposition.ts';
import { namesInUse } from './support/names-in-use.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const alerts = read('deploy/monitoring/alerts.yml');
const guide = read('docs/monitoring.md');
const alertNames = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const dashboards = readdirSync('deploy/monitoring/dashboards').map(
  (file) => JSON.parse(read(`deploy/monitoring/dashboards/${file}`)) as Dashboard,
);

test('every metric of ours that an alert or a dashboard names is one that the service has', (t) => {
  const known = new Set(createServiceMetrics().names());
  for (const { name, file } of namesInUse().filter((used) => used.name.startsWith('itembridge_')))
    t.true(known.has(name) || known.has(familyOf(name)), `${file} names ${name}`);
});

test('the guide has every metric that the service has', (t) => {
  for (const name of createServiceMetrics().names()) t.true(guide.includes(`\`${name}\``), name);
});

test('the names of metrics say their unit last, and counters end in _total', async (t) => {
  const metrics = createServiceMetrics();
  for (const [, name = '', type = ''] of (await metrics.expose()).matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    t.regex(name, /^itembridge_[a-z_]+$/);
    t.is(name.endsWith('_total'), type === 'counter', name);
    if (type === 'histogram') t.regex(name, /_seconds$/);
    t.notRegex(name, /_(ms|minutes|milliseconds)/);
  }
});

test('the rules and the configuration of Prometheus are YAML, and every rule has a chapter of the guide', async (t) => {
  for (const file of ['alerts.yml', 'prometheus.yml'])
    t.deepEqual((await format(file, read(`deploy/monitoring/${file}`))).errors, []);
  t.true(alertNames.length > 10);
  t.deepEqual([...guide.matchAll(/^### (\w+)$/gm)].map(([, name]) => name).sort(), [...alertNames].sort());
  for (const name of alertNames)
    t.true(alerts.includes(`runbook_url: docs/monitoring.md#${name.toLowerCase()}\n`), name);
});

test('what Alertmanager silences, and the alerts that silence it, are rules of ours', (t) => {
  const silencing = read('deploy/monitoring/alertmanager.yml').matchAll(/alertname =~? "?([\w|]+)/g);
  const named = [...silencing].flatMap(([, names = '']) => names.split('|'));
  t.true(named.length > 2);
  t.deepEqual(
    named.filter((name) => !alertNames.includes(name)),
    [],
  );
});

test('the expressions of rules and dashboards have their brackets in pairs', (t) => {
  const rules = alerts.split('- alert: ').slice(1);
  const expressions = dashboards.flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  );
  t.true(expressions.length > 30);
  for (const text of [...rules, ...expressions])
    for (const [open = '', close = ''] of ['()', '{}', '[]'].map((pair) => [...pair]))
      t.is(text.split(open).length, text.split(close).length, text.slice(0, 80));
});

test('each dashboard has an id of its own, and each of its panels, too', (t) => {
  t.is(new Set(dashboards.map(({ uid }) => uid)).size, dashboards.length);
  for (const { title, panels } of dashboards) t.is(new Set(panels.map(({ id }) => id)).size, panels.length, title);
});
