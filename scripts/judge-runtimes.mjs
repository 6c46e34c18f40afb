// What npm run checks -- runtimes finds, without files, network or clock.

const noticeDays = 90;
const dayMs = 86_400_000;

/**
 * Every image that a deployment takes from elsewhere, and every Node that runs the product without one, once.
 * @param {{ compose: string, dockerfile: string, nodes: readonly string[] }} texts
 */
export function imagesOf({ compose, dockerfile, nodes }) {
  const named = [...compose.matchAll(/^\s+image: (\S+)/gm), ...dockerfile.matchAll(/^FROM (\S+)/gm)];
  const images = named.map(([, image]) => image).filter((image) => !image.startsWith('itembridge:'));
  return [...new Set([...images, ...nodes.map((version) => `node:${version}`)])].sort();
}

/**
 * @param {readonly string[]} images
 * @param {readonly { part: string, runtime: string, endOfLife: string, moves: string }[]} rows
 *   `part` of an image's name: with a colon it stands for the runtime, else for the distribution that it is built on
 * @param {string} today YYYY-MM-DD
 * @returns {{ problems: string[], warnings: string[] }}
 */
export function judgeRuntimes(images, rows, today) {
  const problems = images
    .filter((image) => !rows.some(({ part }) => part.includes(':') && image.includes(part)))
    .map((image) => `${image} has no row in scripts/versions.json`);
  const warnings = [];
  for (const { part, runtime, endOfLife, moves } of rows) {
    const used = images.filter((image) => image.includes(part));
    if (used.length === 0) problems.push(`no image has ${part}: its row in scripts/versions.json can go`);
    const daysLeft = (Date.parse(endOfLife) - Date.parse(today)) / dayMs;
    const name = `${runtime} (${used.join(', ')})`;
    if (daysLeft < 0) problems.push(`${name} ended on ${endOfLife}: ${moves}`);
    else if (daysLeft <= noticeDays) warnings.push(`${name} ends on ${endOfLife}: ${moves}`);
  }
  return { problems, warnings };
}
