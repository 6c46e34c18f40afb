import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../embedded/choose-port.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { pinned, requireProgram, type Manifest } from './helm.ts';

const operatorModule = `github.com/prometheus-operator/prometheus-operator@v${pinned('prometheus-operator')}`;
const operatorKinds = ['servicemonitors', 'prometheusrules'];
const token = 'verification';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiServer {
  readonly call: (method: string, path: string, body?: object) => Promise<Answer>;
  /** Server-side apply; a field that the kind does not have is refused. */
  readonly apply: (manifest: Manifest, namespace: string) => Promise<Answer>;
  /** What the server holds. */
  read(manifest: Manifest, namespace: string): Promise<Answer>;
  /** Where Helm finds it. */
  readonly helmFlags: readonly string[];
  close(): Promise<void>;
}

/** Kubernetes' own API server over etcd: it checks and keeps objects. Nothing acts on them, because no controller runs. */
export async function startApiServer(): Promise<ApiServer> {
  const folder = temporaryFolder('kubernetes');
  const etcd = await startEtcd(folder);
  const { url, server } = await startServer(folder, etcd.url);
  const send = (method: string, path: string, { type, text }: { type: string; text?: string }): Promise<Answer> =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(text !== undefined && { body: text }),
    }).then(async (answer) => ({ status: answer.status, body: bodyOf(await answer.text()) }));
  const call: ApiServer['call'] = (method, path, body) =>
    send(method, path, { type: 'application/json', ...(body && { text: JSON.stringify(body) }) });
  const pathOf = async ({ apiVersion, kind, name }: Manifest, namespace: string): Promise<string> => {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { body } = await call('GET', base);
    const known = (body as { resources?: readonly Resource[] }).resources ?? [];
    const found = known.find((one) => one.kind === kind && !one.name.includes('/'));
    if (found === undefined) throw new Error(`the API server has no ${kind} of ${apiVersion}`);
    return `${base}${found.namespaced ? `/namespaces/${namespace}` : ''}/${found.name}/${name}`;
  };
  const apply: ApiServer['apply'] = async (manifest, namespace) => {
    const path = `${await pathOf(manifest, namespace)}?fieldManager=verification&fieldValidation=Strict`;
    return send('PATCH', path, { type: 'application/apply-patch+yaml', text: manifest.text });
  };
  const close = async (): Promise<void> => {
    await server.stop();
    await etcd.stop();
  };
  return {
    call,
    apply,
    read: async (manifest, namespace) => call('GET', await pathOf(manifest, namespace)),
    helmFlags: ['--kube-apiserver', url, '--kube-token', token, '--kube-ca-file', process.env['TEST_CA_FILE'] ?? ''],
    close,
  };
}

/** It says in plain text that it has no such kind. */
const bodyOf = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : { text });

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

async function startEtcd(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const [url, peers] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const etcd = plan('etcd', {
    command: requireProgram(process.env['TEST_ETCD_BIN'], process.env['TEST_ETCD_PROBLEM']),
    folder,
    args: [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=default=${peers}`,
      '--unsafe-no-fsync',
    ],
    isReady: () => fetch(`${url}/health`),
  });
  await etcd.start();
  return { url, stop: () => etcd.stop() };
}

async function startServer(folder: string, etcdUrl: string): Promise<{ url: string; server: ManagedProcess }> {
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const [key, users] = [join(folder, 'accounts.key'), join(folder, 'users.csv')];
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(key, privateKey.export({ type: 'sec1', format: 'pem' }));
  writeFileSync(users, `${token},verification,1,system:masters\n`);
  const server = plan('kube-apiserver', {
    command: requireProgram(process.env['TEST_KUBE_APISERVER_BIN'], process.env['TEST_KUBE_APISERVER_PROBLEM']),
    folder,
    args: [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--tls-cert-file=${process.env['TEST_TLS_CERT_FILE'] ?? ''}`,
      `--tls-private-key-file=${process.env['TEST_TLS_KEY_FILE'] ?? ''}`,
      `--token-auth-file=${users}`,
      '--service-account-issuer=https://kubernetes.invalid',
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      // It waits for accounts that a controller would make.
      '--disable-admission-plugins=ServiceAccount',
    ],
    isReady: () => fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${token}` } }),
  });
  await server.start();
  return { url, server };
}

function plan(
  name: string,
  {
    command,
    args,
    folder,
    isReady,
  }: { command: string; args: readonly string[]; folder: string; isReady: () => Promise<Response> },
): ManagedProcess {
  const asked = (): Promise<boolean> =>
    isReady().then(
      ({ ok }) => ok,
      () => false,
    );
  return new ManagedProcess({
    name,
    command,
    args,
    environment: process.env,
    logFile: join(folder, `${name}.log`),
    readySource: 'none',
    startTimeoutMs: 120_000,
    stopTimeoutMs: 10_000,
    waitReady: async (_announced, signal) => {
      await until(`${name} is ready`, async () => signal.aborted || (await asked()), 120_000);
    },
  });
}

/** ServiceMonitor and PrometheusRule, as the operator's makers describe them. */
export async function addOperatorKinds({ call, apply }: ApiServer): Promise<void> {
  const told: unknown = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', operatorModule], { encoding: 'utf8' }),
  );
  const folder = join((told as { Dir: string }).Dir, 'example', 'prometheus-operator-crd');
  for (const kind of operatorKinds) {
    const name = `${kind}.monitoring.coreos.com`;
    const text = readFileSync(join(folder, `monitoring.coreos.com_${kind}.yaml`), 'utf8');
    const manifest = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name, text };
    const { status, body } = await apply(manifest, '');
    if (status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`);
    await until(`${kind} are served`, async () => {
      const { body: group } = await call('GET', '/apis/monitoring.coreos.com/v1');
      return ((group as { resources?: readonly Resource[] }).resources ?? []).some((one) => one.name === kind);
    });
  }
}
