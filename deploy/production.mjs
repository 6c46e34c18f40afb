// What the image holds of other makers, in build/production: node_modules, and sbom.cdx.json (CycloneDX), which names all of it.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { scalar } from '../scripts/install-scalar.mjs';

/** Bundles workflows, which is done before there is an image; and what a package could use but does not here. */
const leftOut = new Set(['@swc/core', 'memfs', 'source-map-loader', 'swc-loader', 'unionfs', 'webpack', 'zod']);
const bundler = 'node_modules/@temporalio/worker/lib/workflow/bundler.js';
const noBundler = `// In place of the SDK's own, which loads webpack: the image has its workflows bundled.
exports.defaultWorkflowInterceptorModules = [require.resolve('../workflow-log-interceptor')];
exports.bundleWorkflowCode = exports.WorkflowCodeBundler = function () {
  throw new Error('there is no bundler in the image: set WORKFLOW_BUNDLE');
};
`;

/** @param {string} root folder of the project, with all packages installed */
export function makeProduction(root) {
  const production = join(root, 'build', 'production');
  rmSync(production, { recursive: true, force: true });
  mkdirSync(production, { recursive: true });
  const { sbom, refs } = selectPackages(root);
  const paths = pathsOf(root, refs);
  for (const path of paths) copyPackage(path, root, production);
  writeFileSync(join(production, bundler), noBundler);
  sbom.components.push(...othersIn(root, paths));
  writeFileSync(join(production, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`build/production has ${paths.length} packages, and sbom.cdx.json, which names them`);
}

/** npm's own list of what is installed, less what the product does not reach by its dependencies. */
function selectPackages(root) {
  const args = ['sbom', '--include', 'dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const sbom = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }));
  const { name, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // npm takes the folder's name.
  sbom.metadata.component.name = name;
  const product = sbom.metadata.component['bom-ref'];
  const isWanted = (ref) => !leftOut.has(nameOf(ref)) && !ref.startsWith('@types/');
  const wantedBy = new Map(
    sbom.dependencies.map(({ ref, dependsOn }) => [
      ref,
      dependsOn.filter((one) => isWanted(one) && (ref !== product || nameOf(one) in dependencies)),
    ]),
  );
  const refs = new Set([product]);
  for (const ref of refs) for (const one of wantedBy.get(ref)) refs.add(one);
  sbom.dependencies = [...refs].map((ref) => ({ ref, dependsOn: wantedBy.get(ref) }));
  sbom.components = sbom.components.filter((one) => refs.has(one['bom-ref'])).map(withoutRegistry);
  return { sbom, refs };
}

const nameOf = (ref) => ref.slice(0, ref.lastIndexOf('@'));

/** The address that a package was installed from is this machine's affair; its purl says what it is. */
const withoutRegistry = ({ externalReferences, ...component }) => ({
  ...component,
  externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
});

/** Folders of the packages, where the lock has them. */
function pathsOf(root, refs) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { version, dev }]) => !dev && refs.has(`${path.split('node_modules/').at(-1)}@${version}`))
    .map(([path]) => path)
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Without packages inside, which have paths of their own, and without what only compilers and debuggers read. */
function copyPackage(path, root, production) {
  const from = join(root, path);
  const isBridge = path.endsWith('@temporalio/core-bridge');
  const isRead = (file) => !/(^|[\\/])node_modules$|\.(?:[cm]?ts|map)$/.test(file);
  cpSync(from, join(production, path), {
    recursive: true,
    filter: (file) => isRead(relative(from, file)) && !(isBridge && isForeign(from, relative(from, file))),
  });
}

/** Of Temporal's native part: its sources, and the binaries of other systems. */
function isForeign(bridge, file) {
  const { getPrebuiltTargetName } = createRequire(join(bridge, 'index.js'))('./common');
  const [folder, target] = file.split(/[\\/]/);
  if (folder === 'releases') return target !== undefined && target !== getPrebuiltTargetName();
  return ['bridge-macros', 'scripts', 'sdk-core', 'src', 'ts'].includes(folder);
}

/** What is in the image but no package of npm's: its base, the page that shows the interface, and the libraries inside libvips. */
function othersIn(root, paths) {
  const base = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].at(-1)[1];
  const [image, tag] = base.split(':');
  const libvips = paths.find((path) => path.includes('@img/sharp-libvips-'));
  const libraries = JSON.parse(readFileSync(join(root, libvips, 'versions.json'), 'utf8'));
  return [
    { type: 'container', name: image, version: tag, purl: `pkg:docker/${image}@${tag}` },
    {
      type: 'library',
      name: '@scalar/api-reference',
      version: scalar.version,
      purl: `pkg:npm/%40scalar/api-reference@${scalar.version}`,
      licenses: [{ license: { id: 'MIT' } }],
    },
    ...Object.entries(libraries).map(([name, version]) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:generic/${name}@${version}`,
    })),
  ].map((component) => ({ 'bom-ref': component.purl, ...component }));
}
