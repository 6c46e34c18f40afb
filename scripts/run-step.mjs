import { spawn } from 'node:child_process';

/** What a step ends with that could not be made here: it has neither passed nor failed. */
export const notRunCode = 75;
/** A step that takes three times as long as it should hangs. */
const patience = 3;

/**
 * One step of a longer run, between two lines that name it; ended when it hangs.
 * @param {object} step
 * @param {string} step.title
 * @param {readonly string[]} step.command
 * @param {number} step.minutes what it takes at most, when nothing is wrong
 * @param {Record<string, string>} [step.environment] beside that of this process
 * @param {boolean} [step.besideOthers] its output is kept until it ends, so that it is not mixed with another's
 * @param {number} [step.lastMoment] ms since 1970; what has not ended by then is ended
 * @returns {Promise<number>} the exit code; 127 when the command can't be started
 */
export function runStep({
  title,
  command: [command, ...args],
  minutes,
  environment = {},
  besideOthers = false,
  lastMoment = Infinity,
}) {
  const beganAt = Date.now();
  let said = `\n── ${title}\n`;
  const say = (text) => (besideOthers ? (said += text) : process.stdout.write(text));
  if (!besideOthers) process.stdout.write(said);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', besideOthers ? 'pipe' : 'inherit', besideOthers ? 'pipe' : 'inherit'],
      env: { ...process.env, ...environment },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', say);
    const end = (code) => {
      clearTimeout(timer);
      const result = code === 0 ? 'ok' : code === notRunCode ? 'NOT RUN' : `failed (code ${code})`;
      say(`── ${title}: ${result} (${((Date.now() - beganAt) / 1000).toFixed(1)} s)\n`);
      if (besideOthers) process.stdout.write(said);
      resolve(code);
    };
    const endHanging = () => {
      say(`\n── ${title}: takes too long, so it is ended\n`);
      // First it may stop what it has started.
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 30_000).unref();
    };
    const timer = setTimeout(endHanging, Math.min(minutes * patience * 60_000, lastMoment - beganAt));
    child.on('error', () => end(127));
    child.on('close', (code) => end(code ?? 1));
  });
}
