import { rmSync } from 'node:fs';
import { PortChooser } from './choose-port.ts';
import { consoleReporter, welcomeText, type Reporter } from './welcome.ts';
import { saveAccountBook, type AccountBook, type DemoAccount } from './demo-accounts.ts';
import { fillExamples, type PushCatalogue } from './fill-examples.ts';
import { createFolders, displayPath, locateHome, type Home } from './home.ts';
import { trustAuthority } from './http-json.ts';
import { isOnLoopback, namedMarketplace, whyNoMarketplace, whyOtherMarketplace } from './marketplace.ts';
import { removeReadyFile, writeReadyFile } from './ready-file.ts';
import { takeRunLock, type RunLock } from './run-lock.ts';
import { seedAccounts } from './seed.ts';
import type { StartOptions } from './start-options.ts';
import { EmbeddedSystem, SystemStartError, type RunningSystem } from './system.ts';
import { namedRegistry, usedSimulators } from './vehicle-registry.ts';

export interface StartParts {
  /** The project's folder. */
  readonly root: string;
  readonly options: StartOptions;
  readonly binaries: { readonly temporal?: string; readonly mongod?: string };
  /** File of the bundled workflow code. */
  readonly workflowBundle: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Brings examples/push-catalogue.ts, which nothing in this folder may import. */
  readonly loadPushCatalogue: () => Promise<PushCatalogue>;
}

/**
 * `npm start` after everything is installed: starts the system, seeds accounts, writes the ready file, pushes the example
 * catalogue once, and then waits. Resolves with the process's exit code when everything is stopped.
 */
export async function startEmbedded(parts: StartParts): Promise<number> {
  refuseRealServers(parts);
  const home = locateHome(parts.root, parts.environment['ITEMBRIDGE_HOME']);
  const reporter = consoleReporter({ quiet: parts.options.quiet, output: process.stdout });
  createFolders(home);
  const lock = takeRunLock(home);
  removeReadyFile(home.readyFile);
  if (parts.options.fresh) {
    rmSync(home.data, { recursive: true, force: true });
    createFolders(home);
  }
  const otherMarketplace = whyOtherMarketplace(home, parts.environment);
  if (otherMarketplace !== null) {
    lock.release();
    throw new SystemStartError(otherMarketplace);
  }
  return new Session({ ...parts, home, reporter, lock }).run();
}

/** A server beyond this machine is a real one: what is put up there is for sale, and its calls may cost money. */
function refuseRealServers({ environment, options }: StartParts): void {
  const why = whyNoMarketplace(environment);
  if (why !== null) throw new SystemStartError(why);
  const dear = {
    MARKETPLACE_URL: 'what is put up there is for sale',
    VEHICLE_REGISTRY_URL: 'its look-ups may cost money',
  };
  for (const [name, what] of Object.entries(dear)) {
    const url = environment[name] ?? '';
    if (url === '' || options.realMarketplace || isOnLoopback(url)) continue;
    throw new SystemStartError(`${name} is not on this machine, and ${what}: --real-marketplace takes it all the same`);
  }
}

class Session {
  readonly #parts: StartParts & { home: Home; reporter: Reporter; lock: RunLock };
  readonly #system: EmbeddedSystem;
  readonly #ending = new AbortController();
  #running: RunningSystem | undefined;
  #accounts: readonly DemoAccount[] | undefined;
  #failure: string | undefined;

  constructor(parts: StartParts & { home: Home; reporter: Reporter; lock: RunLock }) {
    this.#parts = parts;
    const { home, options, binaries, workflowBundle, environment, reporter } = parts;
    this.#system = new EmbeddedSystem({
      home,
      apiPort: options.port,
      binaries,
      workflowBundle,
      environment,
      ports: new PortChooser((line) => {
        reporter.warn(line);
      }),
      say: (line) => {
        if (!this.#ending.signal.aborted) reporter.warn(line);
      },
      onRestarted: () => {
        this.#publish();
      },
      onGivenUp: (message) => {
        this.#end(message);
      },
    });
  }

  async run(): Promise<number> {
    const { reporter, home } = this.#parts;
    this.#listenToSignals();
    try {
      await this.#bringUp();
      await this.#untilEnded();
    } catch (error) {
      // An error while everything is being stopped is a consequence of the stop.
      if (!this.#ending.signal.aborted) this.#end(error instanceof Error ? error.message : String(error));
    }
    removeReadyFile(home.readyFile);
    if (this.#failure === undefined) reporter.say('stopping …');
    else reporter.warn(`\n✗ ${this.#failure}`);
    await this.#system.stop();
    this.#parts.lock.release();
    if (this.#failure === undefined) reporter.say('stopped');
    return this.#failure === undefined ? 0 : 1;
  }

  async #bringUp(): Promise<void> {
    const { home, reporter, lock, environment } = this.#parts;
    const [marketplace, registry] = [namedMarketplace(environment), namedRegistry(environment)];
    if (marketplace !== '') reporter.warn(`· the marketplace is ${marketplace}`);
    if (registry !== '') reporter.say(`· vehicles are looked up at ${registry}`);
    reporter.say('· starting MongoDB, Temporal, the simulators, API and worker …');
    const starting = this.#system.start();
    const noting = setInterval(() => {
      lock.update({ children: this.#system.processes() });
    }, 500);
    const running = await starting.finally(() => {
      clearInterval(noting);
    });
    this.#running = running;
    trustAuthority(running.certificates.caFile);
    lock.update({ apiUrl: running.apiUrl });
    const { book, accounts } = await seedAccounts({ home, system: running, withPast: this.#hasExamples() });
    this.#accounts = accounts;
    this.#publish();
    reporter.say(`✓ the API answers at ${running.apiUrl}`);
    await this.#fillOnce(running, book);
    reporter.say(welcomeText(running, accounts));
    reporter.say(`Logs: ${displayPath(home, home.logs)} · for scripts: ${displayPath(home, home.readyFile)}`);
  }

  async #fillOnce(running: RunningSystem, book: AccountBook): Promise<void> {
    const { home, reporter, loadPushCatalogue } = this.#parts;
    if (!this.#hasExamples() || book.hasExamples) return;
    reporter.say('· an ERP sends its example catalogue:');
    const { apiUrl, simulators } = running;
    await fillExamples({
      apiUrl,
      simulators,
      accounts: this.#accounts ?? [],
      pushCatalogue: await loadPushCatalogue(),
      onProgress: (line) => {
        reporter.progress(`  ${line}`);
      },
      signal: this.#ending.signal,
    });
    if (this.#ending.signal.aborted) return;
    book.hasExamples = true;
    saveAccountBook(home.accountsFile, book);
  }

  /** Nothing is put up for show at a marketplace that is not ours. */
  #hasExamples(): boolean {
    const { options, environment } = this.#parts;
    return options.examples && namedMarketplace(environment) === '';
  }

  /** Writes the ready file, again after each restart of a child. */
  #publish(): void {
    const { home, lock } = this.#parts;
    const processes = this.#system.processes();
    lock.update({ children: processes });
    const [running, accounts] = [this.#running, this.#accounts];
    if (running === undefined || accounts === undefined || this.#ending.signal.aborted) return;
    const { apiUrl, mongodbUri, temporal, simulators, metricsUrls, certificates } = running;
    writeReadyFile(home.readyFile, {
      apiUrl,
      publicUrl: apiUrl,
      temporalAddress: temporal.address,
      temporalNamespace: temporal.namespace,
      ...(temporal.uiUrl === undefined ? {} : { temporalUiUrl: temporal.uiUrl }),
      mongodbUri,
      caFile: displayPath(home, certificates.caFile),
      accounts,
      simulators: usedSimulators(simulators, running.environment),
      metricsUrls,
      processes,
    });
  }

  #end(failure?: string): void {
    if (this.#ending.signal.aborted) return;
    this.#failure = failure;
    this.#ending.abort();
    // The first stop may come during the start, which then fails at once.
    removeReadyFile(this.#parts.home.readyFile);
    this.#system.stop().catch((error: unknown) => {
      this.#parts.reporter.warn(`stopping failed: ${String(error)}`);
    });
  }

  #untilEnded(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ending.signal.aborted) resolve();
      this.#ending.signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }

  /**
   * The first signal stops in order; a second one kills. npm passes the terminal's Ctrl-C on, so one key press may
   * arrive twice.
   */
  #listenToSignals(): void {
    const samePressMs = 700;
    let firstAt: number | undefined;
    const onSignal = (): void => {
      const now = Date.now();
      if (firstAt === undefined) {
        firstAt = now;
        this.#end();
        return;
      }
      if (now - firstAt < samePressMs) return;
      this.#parts.reporter.warn('killing everything');
      // Asks the operating system to end the processes, which neither fails nor takes long.
      this.#system
        .kill9()
        .catch(() => undefined)
        .finally(() => {
          this.#parts.lock.release();
          process.exit(130);
        });
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  }
}
