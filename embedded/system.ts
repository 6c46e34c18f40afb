import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { loadTemporalConfig } from '../compose/config.ts';
import { ensureCertificates, type Certificates } from './certificates.ts';
import {
  applicationOf,
  childEnvironment,
  loadOrCreateSecrets,
  trustingEnvironment,
  type EmbeddedSecrets,
} from './child-environment.ts';
import type { PortChooser } from './choose-port.ts';
import type { Home } from './home.ts';
import { ProcessEndedAtStart, rotateLog, type ManagedProcess } from './managed-process.ts';
import { mongodProcess, mongodUri } from './mongod.ts';
import { nodeProcess } from './node-process.ts';
import { programArguments } from './program-arguments.ts';
import { simulatorsProcess, type SimulatorAddresses, type SimulatorName } from './simulators-process.ts';
import { describeStartFailure, supervise } from './supervise.ts';
import { ensureSearchAttributes, ownNamespace, temporalProcess } from './temporal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SystemOptions {
  readonly home: Home;
  readonly apiPort: number;
  /** Paths of the server binaries; a missing one means that the environment names a running server. */
  readonly binaries: { readonly temporal?: string; readonly mongod?: string };
  /** File of the bundled workflow code. */
  readonly workflowBundle: string;
  readonly environment: Environment;
  readonly ports: PortChooser;
  readonly say: (line: string) => void;
  readonly onRestarted: () => void;
  readonly onGivenUp: (message: string) => void;
}

/** A start that failed; the message is written for people. */
export class SystemStartError extends Error {
  override readonly name = 'SetupError';
}

const preferred = { temporal: 7233, temporalUi: 8233, mongod: 27_017 } as const;
const simulatorPorts: Readonly<Record<SimulatorName, number>> = {
  marketplace: 4010,
  vehicleRegistry: 4011,
  payments: 4012,
  ai: 4013,
  images: 4014,
  webhookReceiver: 4015,
  mail: 4016,
};
const smtpPort = 4017;
/** A server that crashes this often in a row will not recover by itself. */
const serverCrashesMax = 5;

/**
 * The whole system on this machine. Databases and simulators start first, then API and worker; the stop has the reverse
 * order.
 */
export class EmbeddedSystem {
  readonly #options: SystemOptions;
  /** In the order of their start. */
  readonly #children: ManagedProcess[] = [];
  readonly #supervisions: { end(): void }[] = [];
  #stopped: Promise<void> | undefined;
  #certificates: Certificates | undefined;

  constructor(options: SystemOptions) {
    this.#options = options;
  }

  /** Starts everything. Throws {@link SystemStartError}; the caller then calls {@link stop}. */
  async start(): Promise<RunningSystem> {
    const { home, environment, ports, workflowBundle } = this.#options;
    const secrets = loadOrCreateSecrets(home.secretsFile);
    this.#certificates = await ensureCertificates(home.tls, environment['NODE_EXTRA_CA_CERTS']);
    const trusting = trustingEnvironment(environment, this.#certificates);
    // Before the simulators: the payment processor must know where its events go.
    const apiPort = await ports.choose('the API', this.#options.apiPort);
    const apiUrl = `http://127.0.0.1:${String(apiPort)}`;
    const [mongodbUri, temporal, simulators] = await allOrFirstError([
      onFreePorts(() => this.#startMongod()).then((uri) => this.#migrate(uri)),
      onFreePorts(() => this.#startTemporal()),
      onFreePorts(() => this.#startSimulators(trusting, { secrets, apiUrl })),
    ]);
    const childEnv = childEnvironment({
      base: { ...trusting, WORKFLOW_BUNDLE: workflowBundle },
      home,
      secrets,
      addresses: {
        apiPort,
        mongodbUri,
        temporalAddress: temporal.address,
        temporalNamespace: temporal.namespace,
        temporalUiUrl: temporal.uiUrl ?? '',
        marketplaceUrl: simulators.marketplace.url,
        aiUrl: simulators.ai.url,
        vehicleRegistryUrl: simulators.vehicleRegistry.url,
        paymentsUrl: simulators.payments.url,
        smtpUrl: simulators.mail.smtpUrl,
      },
    });
    const metricsPorts = { api: await ports.any(), worker: await ports.any() };
    await allOrFirstError([
      this.#run(
        nodeProcess({
          name: 'api',
          entry: 'bin/api.ts',
          environment: { ...childEnv, METRICS_PORT: String(metricsPorts.api) },
          logFile: this.#log('api'),
          healthUrl: `${apiUrl}/healthz`,
        }),
      ),
      this.#run(
        nodeProcess({
          name: 'worker',
          entry: 'bin/worker.ts',
          environment: { ...childEnv, METRICS_PORT: String(metricsPorts.worker) },
          logFile: this.#log('worker'),
        }),
      ),
    ]);
    const metricsUrls = { api: metricsUrl(metricsPorts.api), worker: metricsUrl(metricsPorts.worker) };
    const certificates = this.#certificates;
    return { apiUrl, mongodbUri, temporal, simulators, metricsUrls, certificates, environment: childEnv };
  }

  /** Process ids by name, for the ready file. */
  processes(): Record<string, number> {
    return Object.fromEntries(this.#children.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid]])));
  }

  /** Worker, API, simulators, Temporal, MongoDB: what writes goes before what is written to. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopInOrder();
    return this.#stopped;
  }

  async kill9(): Promise<void> {
    for (const supervision of this.#supervisions) supervision.end();
    await Promise.all(this.#children.map((child) => child.kill9()));
  }

  async #stopInOrder(): Promise<void> {
    for (const supervision of this.#supervisions) supervision.end();
    for (const name of ['worker', 'api', 'simulators', 'temporal', 'mongod']) {
      await this.#children.find((child) => child.name === name)?.stop();
    }
  }

  async #startMongod(): Promise<string> {
    const { binaries, environment, home, ports } = this.#options;
    if (binaries.mongod === undefined) return environment['MONGODB_URI'] ?? '';
    const port = await ports.choose('MongoDB', preferred.mongod);
    await this.#run(
      mongodProcess({ binary: binaries.mongod, port, dataDirectory: home.mongo, logFile: this.#log('mongod') }),
    );
    return mongodUri(port);
  }

  /** As in production, before API and worker start. Meanwhile the other servers do. */
  async #migrate(mongodbUri: string): Promise<string> {
    const { environment, home, say } = this.#options;
    const command = [...programArguments('bin/itembridge.ts'), 'migrate'];
    const settings = { cwd: home.root, env: { ...environment, MONGODB_URI: mongodbUri } };
    const running = promisify(execFile)(process.execPath, command, settings);
    if (running.child.stdout !== null)
      createInterface(running.child.stdout).on('line', (line) => say(`· migrate: ${line}`));
    await running.catch((cause: unknown) => {
      const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
      throw new SystemStartError(`the database could not be migrated: ${said}${freshHint}`, { cause });
    });
    return mongodbUri;
  }

  async #startTemporal(): Promise<RunningTemporal> {
    const { binaries, environment, home, ports } = this.#options;
    if (binaries.temporal === undefined) {
      const temporal = loadTemporalConfig({}, environment);
      await ensureSearchAttributes(temporal).catch((cause: unknown) => {
        throw new SystemStartError(`TEMPORAL_ADDRESS: ${cause instanceof Error ? cause.message : String(cause)}`, {
          cause,
        });
      });
      const [address, uiUrl] = [temporal.connection.address, environment['TEMPORAL_UI_URL']];
      return { address, namespace: temporal.namespace, ...(uiUrl !== undefined && { uiUrl }) };
    }
    const port = await ports.choose('Temporal', preferred.temporal);
    const uiPort = await ports.choose("Temporal's web interface", preferred.temporalUi);
    const [metricsPort, httpPort] = [await ports.any(), await ports.any()];
    const files = { databaseFile: home.temporalDatabase, logFile: this.#log('temporal') };
    await this.#run(temporalProcess({ binary: binaries.temporal, port, uiPort, metricsPort, httpPort, ...files }));
    return {
      address: `127.0.0.1:${String(port)}`,
      namespace: ownNamespace,
      uiUrl: `http://127.0.0.1:${String(uiPort)}`,
    };
  }

  async #startSimulators(
    environment: Environment,
    { secrets, apiUrl }: { secrets: EmbeddedSecrets; apiUrl: string },
  ): Promise<SimulatorAddresses> {
    const { home, ports } = this.#options;
    const chosen = { ...simulatorPorts };
    for (const [name, port] of Object.entries(simulatorPorts))
      chosen[name as SimulatorName] = await ports.choose(`the ${name} simulator`, port);
    const { process: child, addresses } = simulatorsProcess({
      root: home.root,
      dataDirectory: home.simulators,
      logFile: this.#log('simulators'),
      ports: chosen,
      smtpPort: await ports.choose('the mail simulator (SMTP)', smtpPort),
      application: applicationOf(secrets),
      consent: { acceptUrl: `${apiUrl}/dashboard/connection`, rejectUrl: `${apiUrl}/dashboard/connection` },
      payments: {
        secretKey: secrets.paymentsKey,
        webhookUrl: `${apiUrl}/stripe/webhook`,
        webhookSecret: secrets.paymentsWebhookSecret,
      },
      certificates: this.#certificates ?? (await ensureCertificates(home.tls, undefined)),
      environment,
    });
    await this.#run(child);
    return addresses();
  }

  #log(name: string): string {
    return join(this.#options.home.logs, `${name}.log`);
  }

  async #run(child: ManagedProcess): Promise<void> {
    const { say, onRestarted, onGivenUp } = this.#options;
    // Ctrl-C during the start: no process may start once the others are being stopped.
    if (this.#stopped !== undefined) throw new SystemStartError('stopped while starting');
    rotateLog(child.plan.logFile);
    this.#children.push(child);
    try {
      await child.start();
    } catch (cause) {
      this.#children.splice(this.#children.indexOf(child), 1);
      const failure = cause instanceof Error ? cause : new Error(String(cause));
      throw new SystemStartError(`${describeStartFailure(child, failure)}\n  (its whole log: ${child.plan.logFile})`, {
        cause,
      });
    }
    const isServer = child.name !== 'api' && child.name !== 'worker';
    this.#supervisions.push(
      supervise(child, { say, onRestarted, onGivenUp, ...(isServer ? { crashesMax: serverCrashesMax } : {}) }),
    );
  }
}

const freshHint = '  Or begin anew, without the data that are there: npm start -- --fresh';

const startsMax = 3;

/** Another program, such as a second start, may take a port after it was chosen. Then other ports are tried. */
async function onFreePorts<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      const hasEnded = error instanceof SystemStartError && error.cause instanceof ProcessEndedAtStart;
      if (!hasEnded || tries === startsMax) throw error;
    }
  }
}

const metricsUrl = (port: number): string => `http://127.0.0.1:${String(port)}/metrics`;

export interface RunningTemporal {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl?: string;
}

export interface RunningSystem {
  readonly apiUrl: string;
  readonly mongodbUri: string;
  readonly temporal: RunningTemporal;
  readonly simulators: SimulatorAddresses;
  readonly metricsUrls: Readonly<Record<'api' | 'worker', string>>;
  readonly certificates: Certificates;
  /** The settings of API and worker; the command line tool uses the same. */
  readonly environment: Environment;
}

/** Waits for all even when one fails, so that no start is still running while the others are stopped. */
async function allOrFirstError<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return Promise.all(work);
}
