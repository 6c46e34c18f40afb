/** An expected obstacle: its message alone is shown, without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

/**
 * Runs one long step between two lines of progress, on the error stream so that piped output stays clean.
 * @template T
 * @param {string} name what is being done
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function reportStep(name, work) {
  const startedAt = Date.now();
  console.error(`· ${name} …`);
  const result = await work();
  console.error(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  return result;
}

/** Runs a command's main function; a SetupError ends it with its message, anything else with its stack. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error?.name === 'SetupError' ? `\n✗ ${error.message}` : error);
    process.exit(1);
  }
}
