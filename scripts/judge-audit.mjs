// What scripts/audit.mjs and scripts/licences.mjs decide, apart from who is asked.

/** @typedef {{ id: string, package: string, reason: string, until: string }} AllowedAdvisory `until`: last day, YYYY-MM-DD */

const severe = new Set(['high', 'critical']);

/**
 * The advisories of high and critical severity in a report of `npm audit --json`, and what the allow list says of them.
 * @param {unknown} report undefined or another form: npm could not ask
 * @param {readonly AllowedAdvisory[]} allowed
 * @param {string} today YYYY-MM-DD
 * @returns {{ notRun: string } | { problems: string[], accepted: string[] }}
 */
export function judgeAdvisories(report, allowed, today) {
  if (report?.auditReportVersion !== 2 || typeof report.vulnerabilities !== 'object')
    return { notRun: report?.message ?? report?.error?.summary ?? 'npm gave no report' };
  const found = severeIn(report);
  const problems = [...found].flatMap(([id, one]) => {
    const known = allowed.find((entry) => entry.id === id && entry.package === one.name);
    if (known === undefined) return [`${id}: ${one.name} ${one.range} (${one.severity}): ${one.title}`];
    return known.until < today ? [`${id}: accepted only until ${known.until}`] : [];
  });
  const accepted = allowed
    .filter((one) => one.until >= today && found.get(one.id)?.name === one.package)
    .map((one) => `${one.id}: ${one.package}, until ${one.until}: ${one.reason}`);
  return { problems, accepted };
}

/** A package is also named for what it depends on, then without an advisory of its own. */
function severeIn({ vulnerabilities }) {
  const advisories = Object.values(vulnerabilities).flatMap(({ via = [] }) =>
    via.filter((one) => typeof one === 'object'),
  );
  return new Map(advisories.filter(({ severity }) => severe.has(severity)).map((one) => [idOf(one), one]));
}

/** The name that does not change with the database that tells of it. */
const idOf = ({ url = '', source }) => /GHSA(?:-[0-9a-z]{4}){3}/.exec(url)?.[0] ?? String(source);

/**
 * @param {unknown} report of `npm audit signatures --json`
 * @returns {{ notRun: string } | { problems: string[], accepted: string[] }}
 */
export function judgeSignatures(report) {
  if (!Array.isArray(report?.invalid) || !Array.isArray(report.missing))
    return { notRun: report?.error?.summary ?? 'npm could not read keys or signatures' };
  const named = ({ name, version }) => `${name}@${version}`;
  return {
    problems: report.invalid.map((one) => `${named(one)}: its signature is wrong`),
    accepted: report.missing.map((one) => `${named(one)}: not signed`),
  };
}

/**
 * Packages of production whose licence is neither permissive nor explained.
 * @param {Readonly<Record<string, { dev?: boolean, license?: string, version?: string }>>} packages of package-lock.json
 * @param {{ permissive: readonly string[], explained: readonly { package: string, licence: string | null, reason: string }[] }} policy
 *   `package` may end in `*`; `licence` null: the lock names none
 * @returns {string[]}
 */
export function judgeLicences(packages, { permissive, explained }) {
  const fits = new Set(permissive);
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { license = null }]) => ({ name: path.split('node_modules/').at(-1), license }))
    .filter(({ license }) => license === null || !partsOf(license).every((one) => fits.has(one)))
    .filter(({ name, license }) => !explained.some((one) => one.licence === license && isNamed(one.package, name)))
    .map(({ name, license }) => `${name}: ${license ?? 'no licence named'}`);
}

const partsOf = (license) => license.split(/ (?:AND|OR) |[()]/).filter((part) => part !== '');

const isNamed = (pattern, name) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name);
