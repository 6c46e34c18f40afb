// The architecture as a table that a tool checks (docs/architecture.md is the same in prose). `npm run checks -- rules` runs it,
// test/rules/dependency-rules.test.ts breaks every rule on purpose. A new rule needs a broken example there.

/** Top-level folders in which code may live. A new one is a decision: add it to docs/architecture.md first. */
const tests = ['test', 'verification'];
const folders = [
  ...['bin', 'api', 'cli', 'web', 'client'],
  ...['usecases', 'schemas', 'core', 'store'],
  ...['dispatch', 'workflows', 'activities', 'workers'],
  ...['gateways', 'security', 'platform', 'compose'],
  ...['embedded', 'simulators', 'examples', 'bench', 'scripts', 'docs', 'deploy', ...tests],
];
const inside = (...names) => `^(${names.join('|')})/`;
const anyOwn = inside(...folders);

/** A system that serves two sorts of callers has a second port beside the first. */
const ports = '^gateways/[^/]+/(port|operations-port)[.]ts$';
const contracts = '^workflows/contracts/';
const compose = '^compose/';
/** Runs in production. */
const product = inside(
  ...['bin', 'api', 'cli', 'client', 'usecases', 'schemas', 'core', 'store'],
  ...['dispatch', 'workflows', 'activities', 'workers', 'gateways', 'security', 'platform', 'compose'],
);
const besideFolders = ['embedded', 'simulators', 'examples', 'bench', 'scripts', 'deploy', 'test'];
const anyPackageOrBuiltin = 'core npm npm-dev npm-optional npm-peer npm-bundled npm-no-pkg npm-unknown'.split(' ');

/** Matches a package whether or not it is installed, and its @types. */
const npm = (...names) => `^(node_modules/)?(@types/)?(${names.join('|')})(/|$)`;

const forbid = ({ instead, ...rule }) => ({ severity: 'error', comment: instead, ...rule });

/** One row of the table: files of `from` may import `mayImport` and themselves, and nothing else of this project. */
const row = ({ name, from, fromNot, mayImport = [], instead }) =>
  forbid({
    ...{ name, instead },
    from: { path: from, ...(fromNot === undefined ? {} : { pathNot: fromNot }) },
    to: { path: anyOwn, pathNot: [from, ...mayImport] },
  });

const only = ({ name, packages, folders: allowed, instead }) =>
  forbid({ name, instead, from: { pathNot: allowed }, to: { path: npm(...packages) } });

const table = [
  row({
    name: 'core-imports-nothing',
    from: inside('core'),
    instead:
      'core/ is pure rules. Pass what you need as an argument, or move the code to usecases/ and let it call core/.',
  }),
  forbid({
    name: 'core-needs-no-package',
    instead:
      'core/ runs in the API, in activities and in the workflow sandbox: no Node, no npm. Pass time, randomness and ids in; put hashing in security/.',
    from: { path: inside('core') },
    to: { dependencyTypes: anyPackageOrBuiltin },
  }),
  row({
    name: 'schemas-import-core',
    from: inside('schemas'),
    mayImport: [inside('core')],
    instead: 'A schema describes data. Move logic to core/ (pure) or usecases/ (with effects).',
  }),
  row({
    name: 'security-imports-core',
    from: inside('security'),
    mayImport: [inside('core')],
    instead: 'security/ is cryptography over plain values. Let the use case read the data and pass keys and bytes in.',
  }),
  row({
    name: 'platform-imports-nothing',
    from: inside('platform'),
    instead:
      'platform/ knows no business noun. Move the code to the layer that owns the noun, or pass it in as a value.',
  }),
  {
    ...row({
      name: 'ports-import-core',
      from: ports,
      instead:
        'A port speaks the words of core/. Define the type in the port itself or in core/, never in an implementation.',
    }),
    // Not even its own folder, nor another port.
    to: { path: anyOwn, pathNot: [inside('core')] },
  },
  row({
    name: 'store-imports-core-and-platform',
    from: inside('store'),
    mayImport: [inside('core', 'platform')],
    instead: 'store/ keeps documents. Decide in core/, tell the story in usecases/, and pass the outcome to store/.',
  }),
  row({
    name: 'usecases-know-ports-not-gateways',
    from: inside('usecases'),
    mayImport: [inside('core', 'schemas', 'security', 'store', 'platform'), ports],
    instead:
      'Take the port (gateways/<system>/port.ts) as an argument; compose/ hands in the implementation. Use cases know neither HTTP nor Temporal.',
  }),
  row({
    name: 'dispatch-calls-usecases',
    from: inside('dispatch'),
    mayImport: [inside('core', 'store', 'usecases', 'platform'), ports],
    instead: 'Starts and the relay: what is done is a use case; workflows are started by the orchestrator port.',
  }),
  row({
    name: 'activities-call-usecases',
    from: inside('activities'),
    mayImport: [inside('core', 'schemas', 'security', 'store', 'platform', 'usecases'), ports, contracts],
    instead:
      'An activity is a thin function over use cases and ports that its factory receives. Share ids and payload types by workflows/contracts/.',
  }),
  {
    ...row({
      name: 'workflows-stay-in-the-sandbox',
      from: inside('workflows'),
      fromNot: contracts,
      mayImport: [inside('core')],
      instead:
        'Workflow code is replayed: call an activity through proxyActivities<typeof …> and import its type with `import type`.',
    }),
    to: { path: anyOwn, pathNot: [inside('workflows', 'core'), inside('activities')] },
  },
  forbid({
    name: 'workflows-import-types-of-activities',
    instead:
      'Only the type of an activity may be known here: write `import type { … }` and call it through proxyActivities.',
    from: { path: inside('workflows'), pathNot: contracts },
    to: { path: inside('activities'), dependencyTypesNot: ['type-only'] },
  }),
  forbid({
    name: 'workflows-need-no-package',
    instead:
      'Only @temporalio/workflow and @temporalio/common exist in the workflow sandbox. Do it in an activity, or write it in core/.',
    from: { path: inside('workflows') },
    to: { dependencyTypes: anyPackageOrBuiltin, pathNot: npm('@temporalio/workflow', '@temporalio/common') },
  }),
  row({
    name: 'contracts-import-core',
    from: contracts,
    mayImport: [inside('core')],
    instead: 'Contracts are names and shapes that both sides share: plain types and constants, no workflow code.',
  }),
  row({
    name: 'workers-only-host',
    from: inside('workers'),
    mayImport: [inside('activities', 'platform'), contracts, compose],
    instead: 'A worker has no logic. Put it in usecases/ or activities/ and take it from compose/.',
  }),
  {
    ...row({
      name: 'gateways-stand-alone',
      from: '^gateways/([^/]+)/',
      fromNot: [ports, inside('gateways/orchestrator')],
      instead:
        'A gateway implements its own port and knows nothing of other systems. What two of them share belongs in platform/, core/ or security/; what combines them is a use case.',
    }),
    to: { path: anyOwn, pathNot: ['^gateways/$1/', inside('core', 'schemas', 'security', 'platform')] },
  },
  row({
    name: 'orchestrator-knows-contracts',
    from: inside('gateways/orchestrator'),
    fromNot: ports,
    mayImport: [inside('core', 'schemas', 'security', 'platform'), contracts, inside('workflows')],
    instead:
      'The Temporal client starts and signals workflows by the names of workflows/contracts/. Everything else belongs to a use case.',
  }),
  forbid({
    name: 'orchestrator-imports-types-of-workflows',
    instead:
      'Workflow code must not be loaded outside the sandbox: write `import type { … }` and start it by its name from workflows/contracts/.',
    from: { path: inside('gateways/orchestrator') },
    to: { path: inside('workflows'), pathNot: contracts, dependencyTypesNot: ['type-only'] },
  }),
  row({
    name: 'api-calls-usecases',
    from: inside('api'),
    mayImport: [inside('core', 'schemas', 'security', 'usecases', 'platform')],
    instead:
      'A handler translates HTTP into one use case. Move data access and calls to the outside into usecases/; take implementations from the context of the call (usecases/context.ts), which compose/ makes.',
  }),
  row({
    name: 'cli-calls-usecases',
    from: inside('cli'),
    mayImport: [inside('core', 'schemas', 'security', 'usecases', 'platform', 'client'), compose],
    instead:
      'A command translates arguments into one use case (or one call of the generated client). Move the rest into usecases/.',
  }),
  row({
    name: 'web-knows-only-http',
    from: inside('web'),
    mayImport: [inside('client'), '^core/(counted|state-words|history/facts|errors|listings/listing-failure)\\.ts$'],
    instead:
      'Browser code speaks to the service by its HTTP API: use the generated client. Of the core it knows the types of what happened, so that no sentence is missing, how a number is written with its noun, and what states are called.',
  }),
  row({
    name: 'client-imports-nothing',
    from: inside('client'),
    fromNot: inside('client/files'),
    instead: 'The client is generated from the OpenAPI document and stands alone.',
  }),
  forbid({
    name: 'client-needs-no-package',
    instead: 'The client is to be copied into any project: it uses nothing but fetch and what is built into Node.',
    from: { path: inside('client') },
    to: { dependencyTypes: anyPackageOrBuiltin.filter((type) => type !== 'core') },
  }),
  forbid({
    name: 'client-files-run-in-browsers',
    instead:
      'client/files reads files of items for the command line tool and for the dashboard: no Node, no package. Of the core it knows how our own files are written. Hand in what only one of them has, as ByteSource does.',
    from: { path: inside('client/files') },
    to: {
      pathNot: [
        inside('client/files'),
        '^client/generated/types[.]gen[.]ts$',
        '^core/(csv|exported-files|unseen-text)[.]ts$',
      ],
    },
  }),
  row({
    name: 'simulators-share-no-code',
    from: inside('simulators'),
    mayImport: [inside('platform'), '^gateways/marketplace/v4-(objects|operations)[.]ts$'], // a table of data
    instead:
      'A simulator that shares code with the product shares its mistakes. Write it again from the outside system’s documentation.',
  }),
  row({
    name: 'embedded-starts-processes',
    from: inside('embedded'),
    mayImport: [inside('simulators', 'platform'), compose],
    instead:
      'The embedded mode starts and stops things. Reach into the product by its HTTP API, its command line or compose/.',
  }),
  row({
    name: 'bin-only-starts',
    from: inside('bin'),
    mayImport: [inside('api', 'cli', 'workers', 'simulators', 'embedded', 'platform', 'scripts', 'examples'), compose],
    instead:
      'An entry point reads its settings, composes, serves and stops. Put the rest into the room that it starts.',
  }),
  forbid({
    name: 'nothing-imports-an-entry-point',
    instead: 'An entry point starts a process as soon as it is loaded. Import what it starts.',
    from: { pathNot: inside('bin') },
    to: { path: inside('bin') },
  }),
  forbid({
    name: 'compose-joins-no-entry-point',
    instead:
      'compose/ joins ports and implementations of the product. Entry points import it, never the other way round; test doubles are passed in by tests.',
    from: { path: compose },
    to: { path: inside('api', 'cli', 'web', 'client', 'workers', ...besideFolders) },
  }),
];

const packages = [
  only({
    name: 'mongoose-only-in-store',
    packages: ['mongoose'],
    folders: inside('store', 'bench', 'scripts', 'deploy', ...tests),
    instead: 'Write a function in store/ that takes the scope first, and call that.',
  }),
  only({
    name: 'mongodb-driver-only-for-set-up',
    packages: ['mongodb'],
    folders: inside('embedded', 'bench', 'scripts', 'deploy', ...tests),
    instead: 'The bare driver is for starting and watching a server. For documents, write a function in store/.',
  }),
  only({
    name: 'express-only-in-api',
    packages: ['express', 'helmet'],
    folders: inside('api', 'simulators', 'bench', 'examples', ...tests),
    instead: 'Only api/ speaks HTTP to the inside. Take plain values; return plain values or throw a Refusal.',
  }),
  only({
    name: 'undici-only-at-the-edge',
    packages: ['undici'],
    folders: inside('gateways', 'platform', 'simulators', 'embedded', 'examples', 'bench', 'scripts', ...tests),
    instead:
      'Calls to the outside need limits and the public-address guard: add a method to a port and implement it in gateways/.',
  }),
  only({
    name: 'outside-clients-only-in-gateways',
    packages: ['sharp', 'file-type', 'stripe', 'openai', '@aws-sdk'],
    folders: inside('gateways', 'simulators', 'embedded', 'examples', 'bench', 'scripts', ...tests),
    instead: 'Put the library behind a port in gateways/, so that it can be replaced and simulated.',
  }),
  only({
    name: 'observation-libraries-only-in-platform',
    packages: ['prom-client', '@opentelemetry'],
    folders: inside('platform', 'bench', ...tests),
    instead: 'Count in the table of compose/service-metrics.ts; open spans by platform/tracing.ts.',
  }),
  only({
    name: 'secrets-libraries-only-in-security',
    packages: ['jsonwebtoken', '@node-rs/argon2'],
    folders: inside('security', 'bench', ...tests),
    instead: 'All cryptography lives in security/: add a function there that says what it is for.',
  }),
  only({
    name: 'temporal-workflow-only-in-workflows',
    packages: ['@temporalio/workflow'],
    folders: inside('workflows', ...tests, 'bench', 'deploy'),
    instead:
      'This package works only inside the workflow sandbox. Outside, use workflows/contracts/ and the orchestrator port.',
  }),
  only({
    name: 'temporal-worker-only-in-workers',
    packages: ['@temporalio/worker'],
    folders: inside('bin', 'workers', ...tests, 'bench', 'scripts', 'deploy'),
    instead: 'Only workers/ hosts workflows and activities.',
  }),
  only({
    name: 'temporal-activity-only-in-activities',
    packages: ['@temporalio/activity'],
    folders: inside('activities', 'workers', ...tests, 'bench'),
    instead: 'Pass what the activity context knows (heartbeat, abort signal) to the use case as an argument.',
  }),
  only({
    name: 'temporal-client-only-in-orchestrator',
    packages: ['@temporalio/client'],
    folders: [
      inside('gateways/orchestrator', 'workers', 'embedded', 'examples', 'bench', 'scripts', 'deploy', ...tests),
      compose,
    ],
    instead: 'Reads never touch Temporal; to start or signal, use the orchestrator port.',
  }),
];

const everywhere = [
  forbid({
    name: 'no-cycles',
    instead: 'Two files that need each other are one thing or three: move what both need into a file of its own.',
    // What comes with the generator of the client is as it is.
    from: { pathNot: '^client/generated/(client|core)/' },
    to: { circular: true },
  }),
  forbid({
    name: 'no-orphans',
    instead:
      'Nothing imports this file and it imports nothing: delete it, or use it. Entry points are named in the rule.',
    from: {
      orphan: true,
      pathNot: [
        '^bin/',
        '^embedded/start[.]ts$',
        // Processes of their own, started by path.
        '^embedded/[^/]+[.]mjs$',
        '^workflows/index[.]ts$',
        inside('scripts', 'deploy', 'examples', 'bench', 'web'),
        '^(test|verification)/.+[.]test[.]ts$',
        '^[^/]+[.]mjs$',
        '[.]d[.]ts$',
      ],
    },
    to: {},
  }),
  forbid({
    name: 'no-unresolved-imports',
    instead:
      'This import leads nowhere: local files are imported with their .ts extension, packages must be in package.json.',
    // What these stories import is generated by npm run checks -- clients.
    from: { pathNot: '^test/generators/' },
    to: { couldNotResolve: true },
  }),
  forbid({
    name: 'product-needs-no-dev-dependency',
    instead: 'Production installs no devDependencies: move the package to dependencies, or import only its type.',
    from: { path: product },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
  }),
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...table, ...packages, ...everywhere],
  required: [
    {
      name: 'every-file-has-a-home',
      severity: 'error',
      comment: `Code lives in ${folders.join(', ')}. Move the file; a new top-level folder is a decision for docs/architecture.md.`,
      // A dependency that no file can have: so every file outside the homes is reported, even one that imports nothing.
      module: { path: '[.][cm]?[jt]sx?$', pathNot: [anyOwn, '^[.]?[^/]+[.]mjs$', 'node_modules/', '^[.][.]?/'] },
      to: { path: '^a file that does not exist$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^build/|(^|/)(node_modules/[.]|dist/|coverage/|[.]git/|[.]itembridge/)' },
    // Sees `import type`, and knows it from an import of a value by the syntax; 'specify' compiles each file as well, which takes four times as long.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
