// Is the API of this container answering? Exit code 0 or 1, for the container's health check.
const port = process.env.API_PORT ?? '3000';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(3000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
