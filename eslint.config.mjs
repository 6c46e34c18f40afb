// Lint with type information. What a rule means is in docs/architecture.md and CONTRIBUTING.md; where code must leave the path,
// it says so and why: `// eslint-disable-next-line <rule> -- <reason>` (the reason is checked too).
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Not the product: fakes, measurements and programs for people. */
const besideTheProduct = [
  'test/**',
  'verification/**',
  'bench/**',
  'examples/**',
  'simulators/**',
  'embedded/**',
  'scripts/**',
  'deploy/**',
];
/** Programs whose output is for a person at a terminal. */
const terminalPrograms = [
  'cli/**',
  'embedded/**',
  'scripts/**',
  'bench/**',
  'examples/**',
  'simulators/main.ts',
  'deploy/**',
  'test/**',
  'verification/**',
];

/** A disabled rule without a reason can't be told from a forgotten one. */
const escapeSaysWhy = {
  meta: { type: 'problem', schema: [], messages: { why: 'Say why: {{directive}} <rule> -- <reason>' } },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const directive = /^\s*(eslint-disable(?:-next-line|-line)?|@ts-expect-error)\b(.*)$/s.exec(comment.value);
        if (directive === null) continue;
        const [, name, rest] = directive;
        const saysWhy = name === '@ts-expect-error' ? rest.trim().length > 9 : /\s--\s+\S.{9}/s.test(rest);
        if (!saysWhy) context.report({ loc: comment.loc, messageId: 'why', data: { directive: name } });
      }
    },
  }),
};

const restrictedSyntax = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that has it.' },
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only, so that a name is the same everywhere.' },
  { selector: 'ForInStatement', message: 'Use Object.keys or Object.entries: for…in walks the prototype too.' },
];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      'build/',
      'dist/',
      '**/dist/',
      'coverage/',
      '.itembridge/',
      'client/generated/',
      'web/docs/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { local: { rules: { 'escape-says-why': escapeSaysWhy } } },
    rules: {
      'local/escape-says-why': 'error',

      // Promises: one that nobody waits for is work that nobody misses.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // An async function without await is how a port's promise is kept by code that needs none.
      '@typescript-eslint/require-await': 'off',

      // Types: what comes from outside is unknown until a schema took it; closed sets stay closed.
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { requireDefaultForNonUnion: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      // `import { type X }` alone would still load the module and slip past the dependency rules.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // Characters of a code or plate are ASCII by the time they are spread.
      '@typescript-eslint/no-misused-spread': ['error', { allow: [{ from: 'lib', name: 'string' }, 'string'] }],
      // Mongoose's schema options are classes that everyone writes as literals; and there are no enums here (erasableSyntaxOnly).
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],

      // Size: what does not fit one screen is two things.
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 15 }],
      'max-depth': ['error', { max: 3 }],

      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only platform/config.ts reads the environment: add the setting to Config.',
        },
        {
          object: 'process',
          property: 'exit',
          message:
            'Set process.exitCode or let the shutdown of platform/ end the process, so that work in flight is finished.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:process',
              importNames: ['env', 'default'],
              message: 'Only platform/config.ts reads the environment.',
            },
            { name: 'process', message: 'Only platform/config.ts reads the environment.' },
          ],
        },
      ],
    },
  },
  // The branded ids and the environment each have one door.
  { files: ['core/ids.ts'], rules: { '@typescript-eslint/consistent-type-assertions': 'off' } },
  { files: ['platform/config.ts', 'ava.config.mjs'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: terminalPrograms,
    rules: { 'no-console': 'off', 'no-restricted-properties': 'off', 'no-restricted-imports': 'off' },
  },
  {
    // The command line reads its settings through platform/config.ts like the rest of the product.
    files: ['cli/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only platform/config.ts reads the environment.' },
      ],
    },
  },
  {
    files: besideTheProduct,
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['test/**', 'verification/**', 'bench/**'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-unnecessary-condition': 'off' },
  },
  // Drawing takes coordinates.
  { files: ['examples/catalogue/**'], rules: { '@typescript-eslint/max-params': 'off' } },
  // The dashboard runs in a browser: it has a project of its own, with the DOM and JSX.
  {
    files: ['web/dashboard/src/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: './web/dashboard/tsconfig.json' } },
  },
  // The one barrel: the workflow bundle is made from it.
  { files: ['workflows/index.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // What its tool asks for.
  { files: ['web/dashboard/vite.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // Plain scripts run before anything is installed or built, and configuration files export what their tool asks for.
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      parserOptions: { project: null },
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'URLSearchParams',
          'Buffer',
          'fetch',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'setImmediate',
          'AbortController',
          'AbortSignal',
          'structuredClone',
          'performance',
          'TextDecoder',
          'TextEncoder',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: {
      'no-restricted-syntax': [
        'error',
        ...restrictedSyntax.filter((rule) => rule.selector !== 'ExportDefaultDeclaration'),
      ],
    },
  },
);
