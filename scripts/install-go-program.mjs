import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, projectRoot, runQuietly, versions } from './prepare.mjs';
import { reportStep } from './report-step.mjs';

const { helm, kubernetes, etcd, 'stripe-mock': stripeMock } = versions.tools;
const [, versitygw] = versions.runtimes.find(({ part }) => part.startsWith('versity/')).part.split(':');

/**
 * Programs of other makers that tests run, from Go modules. `variable` names one that is there already, `setting` is how a test is
 * told: `<setting>_BIN`, or `<setting>_PROBLEM`. `parts` is the version of the modules that the module `whole` names as v0.0.0.
 */
export const goPrograms = {
  // An S3 server over a folder: the one of docker-compose.yml.
  versitygw: {
    module: `github.com/versity/versitygw/cmd/versitygw@${versitygw}`,
    variable: 'ITEMBRIDGE_VERSITYGW_BIN',
    setting: 'TEST_VERSITYGW',
  },
  // Checks calls against the payment processor's own OpenAPI document; keeps no state. Its version goes with the SDK's.
  'stripe-mock': {
    module: `github.com/stripe/stripe-mock@v${stripeMock.version}`,
    variable: 'STRIPE_MOCK_BINARY',
    setting: 'TEST_STRIPE_MOCK',
  },
  // Checks and renders the chart of deploy/helm.
  helm: { module: `helm.sh/helm/v3/cmd/helm@v${helm.version}`, variable: 'HELM_BIN', setting: 'TEST_HELM' },
  // Says whether Kubernetes takes what the chart renders, and keeps it in etcd.
  'kube-apiserver': {
    module: `k8s.io/kubernetes/cmd/kube-apiserver@v${kubernetes.version}`,
    whole: `k8s.io/kubernetes@v${kubernetes.version}`,
    parts: kubernetes.version.replace('1.', 'v0.'),
    // Else it says that it is v0.0.0, which charts refuse.
    flags: ['-ldflags', `-X k8s.io/component-base/version.gitVersion=v${kubernetes.version}`],
    variable: 'KUBE_APISERVER_BIN',
    setting: 'TEST_KUBE_APISERVER',
  },
  etcd: { module: `go.etcd.io/etcd/server/v3@v${etcd.version}`, variable: 'ETCD_BIN', setting: 'TEST_ETCD' },
};

/**
 * Makes one of them available. Built once for each version; Go compares what it downloads with its checksum database.
 * @param {keyof typeof goPrograms} name
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function installGoProgram(name) {
  const { module, variable } = goPrograms[name];
  if (process.env[variable]) return { path: process.env[variable] };
  const target = join(projectRoot, '.itembridge', 'go', `${name}-${module.slice(module.indexOf('@') + 1)}`);
  const path = join(target, name);
  if (existsSync(path)) return { path };
  if ((await runQuietly('go', ['version'])).code !== 0) return { problem: 'Go is not installed' };
  const problem = await reportStep(`building ${name} (once; minutes where Go has built nothing yet)`, () =>
    build(name, target),
  );
  return problem === undefined ? { path } : { problem };
}

/**
 * Builds beside the target and moves it there when complete, so that an interrupted build leaves nothing half done. In a module of
 * its own, because `go install` refuses a module that replaces others.
 */
async function build(name, target) {
  const { module, flags = [] } = goPrograms[name];
  const [path] = module.split('@');
  const staging = `${target}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  try {
    writeFileSync(join(staging, 'go.mod'), `module build\n${await replaced(goPrograms[name])}`);
    await go(['get', module], staging);
    await go(['build', ...flags, '-o', name, path], staging);
    if (!existsSync(target)) renameSync(staging, target);
    return undefined;
  } catch (error) {
    return `Go could not build ${module}: ${error instanceof Error ? error.message : error}`;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Lines of go.mod that give a module's parts the version under which they are published. */
async function replaced({ whole, parts }) {
  if (whole === undefined) return '';
  const told = await go(['mod', 'download', '-json', whole], projectRoot);
  const { GoMod } = JSON.parse(told.slice(told.indexOf('{')));
  const names = [...readFileSync(GoMod, 'utf8').matchAll(/^\t(\S+) => \.\//gm)].map(([, name]) => name);
  return names.map((name) => `replace ${name} => ${name} ${parts}\n`).join('');
}

async function go(args, cwd) {
  const env = { ...process.env, GOFLAGS: '-mod=mod' };
  const { code, output } = await runQuietly('go', args, { cwd, env });
  if (code !== 0) throw new Error(lastLines(output, 3));
  return output;
}
