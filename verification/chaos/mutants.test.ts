import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import test from 'ava';
import ts from 'typescript';
import { mutants, planted } from './self-test/mutants.ts';

// The self-test changes compiled files by their text, and takes minutes: that its places are still there is seen here.

const host: ts.ParseConfigFileHost = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, ' '));
  },
};
const build = ts.getParsedCommandLineOfConfigFile('tsconfig.build.json', {}, host);

/** One file alone does not say what it is: the package does. */
const asModules = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

const compiled = (file: string): string =>
  ts.transpileModule(readFileSync(file.replace(/\.js$/, '.ts'), 'utf8'), {
    compilerOptions: { ...build?.options, ...asModules },
    fileName: resolve(file.replace(/\.js$/, '.ts')),
  }).outputText;

for (const { name, edits } of mutants)
  test(`can be planted: ${name}`, (t) => {
    const texts = new Map<string, string>();
    for (const edit of edits) texts.set(edit.file, planted(texts.get(edit.file) ?? compiled(edit.file), edit, name));
    t.true(edits.length > 0);
    for (const { file, to } of edits)
      for (const [, path = ''] of to.matchAll(/import\('(\.[^']+)'\)/g))
        t.true(existsSync(join(dirname(file), path).replace(/\.js$/, '.ts')), path);
    for (const [file, text] of texts) t.not(text, compiled(file));
  });
