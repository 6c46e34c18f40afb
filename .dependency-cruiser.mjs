// The architecture as a table that a tool checks (docs/architecture.md is the same in prose). `npm run checks -- rules` runs it,
// test/rules/dependency-rules-broken.slow.test.ts breaks every rule on purpose. A new rule needs a broken example there.

/** Top-level folders in which code may live. A new one is a decision: add it to docs/architecture.md first. */
const tests = ['test', 'verification'];
const own = 'bin api cli client features schemas workflows activities workers gateways platform compose'.split(' ');
const besideFolders = ['embedded', 'simulators', 'examples', 'bench', 'scripts', 'deploy', 'test'];
const folders = [...own, 'web', 'docs', 'verification', ...besideFolders];
const inside = (...names) => `^(${names.join('|')})/`;
const anyOwn = inside(...folders);

/** A system that serves two sorts of callers has a second port beside the first. */
const ports = '^gateways/[^/]+/(port|operations-port)[.]ts$';
const contracts = '^workflows/contracts/';
const compose = '^compose/';
/** Of each noun: pure rules, its rows in MongoDB, and beside both what is done with them. */
const rules = '^features/(rules|[^/]+/rules)/';
const stores = '^features/[^/]+/store/';
const relay = '^features/relay/';
const usecases = '^features/(?![^/]+/store/)';
const [noDatabase, plain] = ['^platform/(?!database/)', '^platform/(?!database/|security/)'];
const product = inside(...own);
const anyPackageOrBuiltin = 'core npm npm-dev npm-optional npm-peer npm-bundled npm-no-pkg npm-unknown'.split(' ');

/** Matches a package whether or not it is installed, and its @types. */
const npm = (...names) => `^(node_modules/)?(@types/)?(${names.join('|')})(/|$)`;

const forbid = ({ instead, ...rule }) => ({ severity: 'error', comment: instead, ...rule });

/** One row of the table: files of `from` may import `mayImport` and themselves, and nothing else of this project. */
const row = ({ from, fromNot, mayImport = [], ...rule }) =>
  forbid({
    ...rule,
    from: { path: from, ...(fromNot === undefined ? {} : { pathNot: fromNot }) },
    to: { path: anyOwn, pathNot: [from, ...mayImport] },
  });

const only = ({ name, packages, folders: allowed, instead }) =>
  forbid({ name, instead, from: { pathNot: allowed }, to: { path: npm(...packages) } });

const table = [
  row({
    name: 'rules-import-rules',
    from: rules,
    instead:
      'features/rules/ and features/*/rules/ are pure. Pass what you need as an argument, or move the code beside rules/ and let it call them.',
  }),
  forbid({
    name: 'rules-need-no-package',
    instead:
      'Rules run in the API, in activities and in the workflow sandbox: no Node, no npm. Pass time, randomness and ids in; put hashing in platform/security/.',
    from: { path: rules },
    to: { dependencyTypes: anyPackageOrBuiltin },
  }),
  row({
    name: 'schemas-import-rules',
    from: inside('schemas'),
    mayImport: [rules],
    instead: 'A schema describes data. Move logic to the rules/ of its noun (pure) or beside them (with effects).',
  }),
  row({
    name: 'platform-imports-shared-rules',
    from: inside('platform'),
    fromNot: '^platform/security/',
    mayImport: ['^features/rules/'],
    instead:
      'platform/ knows no business noun. Move the code to the feature that owns the noun, or pass it in as a value.',
  }),
  row({
    name: 'security-imports-rules',
    from: '^platform/security/',
    mayImport: [rules],
    instead:
      'platform/security/ is cryptography over plain values. Let the use case read the data and pass keys and bytes in.',
  }),
  {
    ...row({
      name: 'ports-import-rules',
      from: ports,
      instead:
        'A port speaks the words of the rules. Define the type in the port itself or in rules/, never in an implementation.',
    }),
    // Not even its own folder, nor another port.
    to: { path: anyOwn, pathNot: [rules] },
  },
  row({
    name: 'stores-import-rules-and-platform',
    from: stores,
    mayImport: [rules, '^platform/(?!security/)'],
    instead:
      'features/*/store/ keeps documents. Decide in rules/, tell the story beside store/, and pass the outcome to it.',
  }),
  row({
    name: 'features-know-ports-not-gateways',
    from: inside('features'),
    fromNot: [rules, stores],
    mayImport: [inside('schemas', 'platform'), ports],
    instead:
      'Take the port (gateways/<system>/port.ts) as an argument; compose/ hands in the implementation. Features know neither HTTP nor Temporal.',
  }),
  forbid({
    name: 'nothing-knows-the-relay',
    instead: 'What is done is a use case; the relay starts it. Hand a start in by the context of the call.',
    from: { path: inside('features', 'api', 'activities', 'workflows'), pathNot: relay },
    to: { path: relay },
  }),
  row({
    name: 'activities-call-usecases',
    from: inside('activities'),
    mayImport: [inside('features', 'schemas', 'platform'), ports, contracts],
    instead:
      'An activity is a thin function over use cases and ports that its factory receives. Share ids and payload types by workflows/contracts/.',
  }),
  {
    ...row({
      name: 'workflows-stay-in-the-sandbox',
      from: inside('workflows'),
      fromNot: contracts,
      mayImport: [rules],
      instead:
        'Workflow code is replayed: call an activity through proxyActivities<typeof …> and import its type with `import type`.',
    }),
    to: { path: anyOwn, pathNot: [inside('workflows'), rules, inside('activities')] },
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
      'Only @temporalio/workflow and @temporalio/common exist in the workflow sandbox. Do it in an activity, or write it as a rule.',
    from: { path: inside('workflows') },
    to: { dependencyTypes: anyPackageOrBuiltin, pathNot: npm('@temporalio/workflow', '@temporalio/common') },
  }),
  row({
    name: 'contracts-import-rules',
    from: contracts,
    mayImport: [rules],
    instead: 'Contracts are names and shapes that both sides share: plain types and constants, no workflow code.',
  }),
  row({
    name: 'workers-only-host',
    from: inside('workers'),
    mayImport: [inside('activities'), plain, contracts, compose],
    instead: 'A worker has no logic. Put it in features/ or activities/ and take it from compose/.',
  }),
  {
    ...row({
      name: 'gateways-stand-alone',
      from: '^gateways/([^/]+)/',
      fromNot: [ports, inside('gateways/orchestrator')],
      instead:
        'A gateway implements its own port and knows nothing of other systems. What two of them share belongs in platform/ or in rules/; what combines them is a use case.',
    }),
    to: { path: anyOwn, pathNot: ['^gateways/$1/', rules, inside('schemas'), noDatabase] },
  },
  row({
    name: 'orchestrator-knows-contracts',
    from: inside('gateways/orchestrator'),
    fromNot: ports,
    mayImport: [rules, inside('schemas'), noDatabase, contracts, inside('workflows')],
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
    mayImport: [usecases, inside('schemas'), noDatabase],
    instead:
      'A handler translates HTTP into one use case. Move data access and calls to the outside into features/; take implementations from the context of the call (features/context.ts), which compose/ makes.',
  }),
  row({
    name: 'cli-calls-usecases',
    from: inside('cli'),
    mayImport: [usecases, inside('schemas', 'client'), noDatabase, compose],
    instead:
      'A command translates arguments into one use case (or one call of the generated client). Move the rest into features/.',
  }),
  row({
    name: 'web-knows-only-http',
    from: inside('web'),
    mayImport: [
      inside('client'),
      '^features/(rules/(counted|state-words|errors|field-problems)|items/rules/history-facts|listings/rules/listing-failure|operations/rules/wait-words)\\.ts$',
    ],
    instead:
      'Browser code speaks to the service by its HTTP API: use the generated client. Of the rules it knows the types of what happened, so that no sentence is missing, how a number is written with its noun, and what states and waits are called.',
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
      'client/files reads files of items for the command line tool and for the dashboard: no Node, no package. Of the rules it knows how our own files are written. Hand in what only one of them has, as ByteSource does.',
    from: { path: inside('client/files') },
    to: {
      pathNot: [
        inside('client/files'),
        '^client/generated/types[.]gen[.]ts$',
        '^features/rules/(csv|exported-files|unseen-text)[.]ts$',
      ],
    },
  }),
  row({
    name: 'simulators-share-no-code',
    from: inside('simulators'),
    mayImport: [plain, '^gateways/marketplace/v4-(objects|operations)[.]ts$'], // a table of data
    instead:
      'A simulator that shares code with the product shares its mistakes. Write it again from the outside system’s documentation.',
  }),
  row({
    name: 'embedded-starts-processes',
    from: inside('embedded'),
    mayImport: [inside('simulators'), plain, compose],
    instead:
      'The embedded mode starts and stops things. Reach into the product by its HTTP API, its command line or compose/.',
  }),
  row({
    name: 'bin-only-starts',
    from: inside('bin'),
    mayImport: [inside('api', 'cli', 'workers', 'simulators', 'embedded', 'scripts', 'examples'), plain, compose],
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
    name: 'mongoose-only-in-stores',
    packages: ['mongoose'],
    folders: [stores, inside('platform/database', 'bench', 'scripts', 'deploy', ...tests)],
    instead: 'Write a function in the store/ of its noun that takes the scope first, and call that.',
  }),
  only({
    name: 'mongodb-driver-only-for-set-up',
    packages: ['mongodb'],
    folders: inside('embedded', 'bench', 'scripts', 'deploy', ...tests),
    instead:
      'The bare driver is for starting and watching a server. For documents, write a function in the store/ of its noun.',
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
    folders: inside('platform/security', 'bench', ...tests),
    instead: 'All cryptography lives in platform/security/: add a function there that says what it is for.',
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
    packages: ['@temporalio/client', '@temporalio/envconfig'],
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
        // Those of embedded/ are processes of their own, started by path.
        '^bin/|^embedded/(start[.]ts|[^/]+[.]mjs)$',
        '^workflows/index[.]ts$',
        inside('scripts', 'deploy', 'examples', 'bench', 'web'),
        '^(test|verification)/.+[.]test[.]ts$',
        '^[^/]+[.]mjs$|[.]d[.]ts$',
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
