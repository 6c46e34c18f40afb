// Stops what its parent started when the parent dies without being able to (kill -9): mongod and Temporal would live on.
// Hears { add: pid } and { remove: pid } from its parent; the end of the channel is the parent's end.
const pids = new Set();

process.on('message', ({ add, remove }) => {
  if (add !== undefined) pids.add(add);
  if (remove !== undefined) pids.delete(remove);
});
process.on('disconnect', () => {
  stopAll().catch(() => process.exit(1));
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

/** Latest started first, each with a second to end by itself, so that the databases go last. */
async function stopAll() {
  for (const pid of [...pids].reverse()) {
    signalGroup(pid, 'SIGTERM');
    for (let tries = 0; tries < 20 && isAlive(pid); tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
  process.exit(0);
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
