const key = 'reloaded-at';
const pauseMs = 60_000;

/**
 * After an upgrade of the service this tab's code names files that are gone: loading the page anew gets the new ones. Once, not for
 * ever; and not without a network, where the browser would show its own page of errors in place of ours.
 */
export function recoverFromOldBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < pauseMs || !navigator.onLine) return;
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    location.reload();
  });
}
