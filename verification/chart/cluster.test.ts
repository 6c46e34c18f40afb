import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { addOperatorKinds, startApiServer, type ApiServer } from './support/api-server.ts';
import { chart, fileOf, helm, manifestsIn, render, valueFiles, type Manifest, type ValueFile } from './support/helm.ts';
import { startPod, type Cluster } from './support/native.ts';
import type { ConfigMap, Controller } from './support/objects.ts';
import { openTemporalDoor, type TemporalDoor } from './support/temporal-door.ts';

// What the chart renders is kept by Kubernetes' own API server, and what that holds is started here without containers.

let server: ApiServer;
let door: TemporalDoor;
test.before(async () => {
  door = await openTemporalDoor(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
  server = await startApiServer();
  await addOperatorKinds(server);
  for (const values of valueFiles)
    await server.call('POST', '/api/v1/namespaces', {
      metadata: { name: values, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
});
test.after.always(async () => {
  await server.close();
  await door.close();
});

for (const values of valueFiles) {
  test.serial(`the API server takes every object of ${values}, and taking it again changes none`, async (t) => {
    const manifests = manifestsIn(render(values));
    t.true(manifests.length > 4);
    for (const manifest of manifests) {
      const first = await server.apply(manifest, values);
      t.is(first.status, 201, `${manifest.kind} ${manifest.name}: ${JSON.stringify(first.body)}`);
      const again = await server.apply(manifest, values);
      t.deepEqual([again.status, versionOf(again.body)], [200, versionOf(first.body)], manifest.name);
      t.like((await server.read(manifest, values)).body, { kind: manifest.kind, metadata: { name: manifest.name } });
    }
  });

  test.serial(`its pods with ${values} are what the restricted standard of Kubernetes admits`, async (t) => {
    for (const { spec, metadata } of await held<Controller>(values, ['Deployment', 'Job'])) {
      const pod = { ...spec.template, metadata: { ...spec.template.metadata, name: metadata.name } };
      const create = (body: object) => server.call('POST', `/api/v1/namespaces/${values}/pods?dryRun=All`, body);
      const { status, body } = await create(pod);
      t.is(status, 201, JSON.stringify(body));
      const asRoot = { ...pod, spec: { ...pod.spec, securityContext: {} } };
      t.is((await create(asRoot)).status, 403, 'the standard is looked at');
    }
  });

  test.serial(`the jobs of ${values} end with 0`, async (t) => {
    const cluster = await clusterOf(values);
    const jobs = (await held<Controller>(values, ['Job'])).toSorted(byWeight);
    t.is(jobs.length, values === 'bare' ? 0 : 2);
    for (const { metadata, spec } of jobs) {
      const { process } = await startPod(metadata.name, spec.template, cluster);
      const ended = new Promise<number | null>((resolve) => {
        process.onUnexpectedExit = ({ code }) => resolve(code);
      });
      await process.start();
      t.is(await ended, 0, `${metadata.name}: ${readFileSync(process.plan.logFile, 'utf8')}`);
    }
  });

  test.serial(`API and workers of ${values} start, answer their probes, and end in time`, async (t) => {
    const cluster = await clusterOf(values);
    for (const deployment of await held<Controller>(values, ['Deployment'])) await tryPod(t, deployment, cluster);
  });
}

async function tryPod(t: ExecutionContext, { metadata: { name }, spec }: Controller, cluster: Cluster): Promise<void> {
  const { livenessProbe, readinessProbe } = spec.template.spec.containers[0];
  if (livenessProbe === undefined || readinessProbe === undefined) throw new Error(`${name} has no probes`);
  const pod = await startPod(name, spec.template, cluster);
  const log = (): string => readFileSync(pod.process.plan.logFile, 'utf8');
  await t.notThrowsAsync(pod.process.start(), `${name} starts: ${log()}`);
  t.is(await pod.probe(livenessProbe), 200);
  await until(`${name} is ready`, async () => (await pod.probe(readinessProbe)) === 200);
  t.is(await pod.end(), 0, `${name} ends within its time: ${log()}`);
  t.notRegex(log(), /"level":"(error|fatal)"/);
}

/** Names of fields and what they become: Kubernetes does not know them. */
const misspelt = {
  Deployment: ['readinessProbe:', 'readynessProbe:'],
  Job: ['backoffLimit:', 'backOffLimit:'],
  PodDisruptionBudget: ['maxUnavailable:', 'maxUnavailble:'],
  HorizontalPodAutoscaler: ['averageUtilization:', 'averageUtilisation:'],
  NetworkPolicy: ['ipBlock:', 'ipblock:'],
  Ingress: ['pathType:', 'pathtype:'],
  ServiceMonitor: ['targetLabel:', 'targetlabel:'],
  PrometheusRule: ['expr:', 'expression:'],
} as const;
for (const [kind, [from, to]] of Object.entries(misspelt))
  test.serial(`the API server refuses a ${kind} with a misspelt field`, async (t) => {
    const manifest = manifestsIn(render('kinds')).find((one) => one.kind === kind && one.text.includes(from));
    if (manifest === undefined) throw new Error(`there is no ${kind} with ${from}`);
    const { status, body } = await server.apply({ ...manifest, text: manifest.text.replace(from, to) }, 'kinds');
    t.true(status >= 400, String(status));
    t.regex(JSON.stringify(body), new RegExp(`${to.slice(0, -1)}: field not declared in schema`));
  });

test.serial('Helm installs it, changes it to other values, goes back and takes it away', (t) => {
  const place = ['--namespace', 'helm', ...server.helmFlags];
  for (const [what, ...args] of [
    ['install', 'shop', chart, '--create-namespace', '--no-hooks', '--values', fileOf('small')],
    ['upgrade', 'shop', chart, '--no-hooks', '--values', fileOf('kinds')],
    ['rollback', 'shop', '1', '--no-hooks'],
    ['uninstall', 'shop', '--no-hooks'],
  ] as const) {
    const { isTaken, said } = helm(what, ...args, ...place);
    t.true(isTaken, `${what}: ${said}`);
  }
});

const versionOf = (body: unknown): string | undefined =>
  (body as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion;

/** What the server holds of the kinds, in the order of the chart. */
async function held<Held>(values: ValueFile, kinds: readonly string[]): Promise<readonly Held[]> {
  const manifests: readonly Manifest[] = manifestsIn(render(values)).filter(({ kind }) => kinds.includes(kind));
  const answers = await Promise.all(manifests.map((manifest) => server.read(manifest, values)));
  return answers.map(({ body }) => body as Held);
}

/** As Helm runs hooks. */
function byWeight(one: Controller, other: Controller): number {
  const weightOf = ({ metadata }: Controller): number => Number(metadata.annotations?.['helm.sh/hook-weight']);
  return weightOf(one) - weightOf(other);
}

async function clusterOf(values: ValueFile): Promise<Cluster> {
  const maps = await held<ConfigMap>(values, ['ConfigMap']);
  const own = createSecrets();
  const isEncrypted = values === 'tls-and-s3';
  return {
    configMaps: Object.fromEntries(maps.map(({ metadata, data }) => [metadata.name, data])),
    secrets: {
      itembridge: own,
      'itembridge-secrets': own,
      'itembridge-temporal-client': door.files,
      'company-authorities': { 'ca.crt': door.files['ca.crt'] },
    },
    addresses: { TEMPORAL_ADDRESS: isEncrypted ? door.address : (process.env['TEST_TEMPORAL_ADDRESS'] ?? '') },
  };
}

/** As an operator makes them. */
function createSecrets(): Readonly<Record<string, string>> {
  const folder = join(temporaryFolder('secrets'), 'made');
  const keys = { MARKETPLACE_APP_KEY: 'key', AI_API_KEY: 'key', SMTP_PASSWORD: 'word' };
  execFileSync('sh', ['deploy/create-secrets.sh', folder], { env: { ...process.env, ...keys } });
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  return { ...texts, mongodb_uri: process.env['TEST_MONGODB_URI'] ?? '' };
}
