import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../../embedded/choose-port.ts';
import { ManagedProcess } from '../../../embedded/managed-process.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { Container, Pod, Probe, Volume } from './objects.ts';

type Texts = Readonly<Record<string, string>>;

/** What a node would have: the ConfigMaps of the release, and Secrets of the cluster by name. */
export interface Cluster {
  readonly configMaps: Readonly<Record<string, Texts>>;
  readonly secrets: Readonly<Record<string, Texts>>;
  /** Settings of addresses: in the files of values they lead nowhere. */
  readonly addresses: Texts;
}

export interface NativePod {
  readonly process: ManagedProcess;
  /** Status of a probe's answer. */
  probe(probe: Probe): Promise<number>;
  /** Exit code after SIGTERM; undefined when it had to be killed after the pod's time. */
  end(): Promise<number | null | undefined>;
}

/** Starts a container's process as a node would, but in a folder instead of a file system of its own, and on free ports. */
export async function startPod(name: string, pod: Pod, cluster: Cluster): Promise<NativePod> {
  const [container] = pod.spec.containers;
  const folder = layOut(pod, cluster);
  const ports = new Map<string, number>();
  for (const { name: port } of container.ports ?? []) ports.set(port, await freePort());
  const environment = environmentOf(container, { cluster, folder, ports });
  const probe = async ({ httpGet: { path, port } }: Probe): Promise<number> =>
    (await fetch(`http://127.0.0.1:${ports.get(port) ?? 0}${path}`)).status;
  const { startupProbe } = container;
  const process = createProcess(name, { container, environment, folder }, async (signal) => {
    if (startupProbe !== undefined)
      await until(
        `${name} has started`,
        async () => signal.aborted || (await probe(startupProbe).catch(() => 0)) === 200,
      );
  });
  return {
    process,
    probe,
    end: async () => {
      const { pid } = process;
      if (pid === undefined) return null;
      const ended = new Promise<number | null>((resolve) => {
        process.onUnexpectedExit = ({ code }) => resolve(code);
      });
      globalThis.process.kill(pid, 'SIGTERM');
      const patience = AbortSignal.timeout((pod.spec.terminationGracePeriodSeconds ?? 30) * 1000);
      const late = new Promise<undefined>((resolve) => patience.addEventListener('abort', () => resolve(undefined)));
      const code = await Promise.race([ended, late]);
      await process.kill9();
      return code;
    },
  };
}

/** The mounted files. A key that a Secret lacks keeps a pod from starting, so it throws. */
function layOut({ spec }: Pod, cluster: Cluster): string {
  const folder = temporaryFolder('pod');
  for (const { name, mountPath } of spec.containers[0].volumeMounts) {
    mkdirSync(join(folder, mountPath), { recursive: true });
    const volume = spec.volumes.find((one) => one.name === name);
    if (volume === undefined) throw new Error(`no volume ${name}`);
    for (const [file, text] of Object.entries(filesOf(volume, cluster)))
      writeFileSync(join(folder, mountPath, file), text);
  }
  return folder;
}

function filesOf({ secret, configMap }: Volume, { secrets, configMaps }: Cluster): Texts {
  if (configMap !== undefined) return found(configMaps, configMap.name);
  if (secret === undefined) return {};
  const texts = found(secrets, secret.secretName);
  const items = secret.items ?? Object.keys(texts).map((key) => ({ key, path: key }));
  return Object.fromEntries(items.map(({ key, path }) => [path, found(texts, key)]));
}

function found<Value>(all: Readonly<Record<string, Value>>, name: string): Value {
  const value = all[name];
  if (value === undefined) throw new Error(`there is no ${name}, only ${Object.keys(all).join(', ')}`);
  return value;
}

/** Nothing of this process's own environment but where programs are. */
function environmentOf(
  container: Container,
  { cluster, folder, ports }: { cluster: Cluster; folder: string; ports: ReadonlyMap<string, number> },
): Record<string, string> {
  const given = Object.assign(
    {},
    ...container.envFrom.map(({ configMapRef }) => found(cluster.configMaps, configMapRef.name)),
    Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, value])),
  ) as Record<string, string>;
  for (const { name, containerPort } of container.ports ?? []) {
    const setting = name === 'http' ? 'API_PORT' : 'METRICS_PORT';
    if (given[setting] !== String(containerPort)) throw new Error(`${setting} is not the container's port ${name}`);
    given[setting] = String(ports.get(name));
  }
  const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
  const place = (value: string): string => {
    if (value.startsWith('/app/')) return join(process.cwd(), value.slice('/app'.length));
    return mounts.some((path) => value === path || value.startsWith(`${path}/`)) ? join(folder, value) : value;
  };
  const placed = Object.entries(given).map(([name, value]) => [name, place(value)]);
  return { ...Object.fromEntries(placed), ...cluster.addresses, PATH: programs() };
}

/** Node as `node`, and the Temporal command of the image with the set-up. */
const programs = (): string =>
  [dirname(process.execPath), dirname(process.env['ITEMBRIDGE_TEMPORAL_BIN'] ?? ''), process.env['PATH']].join(
    delimiter,
  );

/** The image's own command. */
const imageCommand = (): readonly string[] =>
  JSON.parse(/^CMD (.*)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? '[]') as string[];

function createProcess(
  name: string,
  { container, environment, folder }: { container: Container; environment: Record<string, string>; folder: string },
  waitReady: (signal: AbortSignal) => Promise<void>,
): ManagedProcess {
  const words = [...(container.command ?? []), ...(container.args ?? (container.command ? [] : imageCommand()))];
  const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
  const [command = '', ...args] = words.map((word) =>
    mounts.some((path) => word.startsWith(`${path}/`)) ? join(folder, word) : word,
  );
  return new ManagedProcess({
    name,
    command,
    args,
    environment,
    logFile: join(folder, `${name}.log`),
    readySource: 'none',
    startTimeoutMs: 120_000,
    stopTimeoutMs: 10_000,
    waitReady: (_announced, signal) => waitReady(signal),
  });
}
