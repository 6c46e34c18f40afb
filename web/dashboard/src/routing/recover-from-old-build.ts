const key = 'reloaded-at';
const pauseMs = 60_000;

/**
 * After an upgrade of the service, this tab's code names files that no longer exist, so the page is loaded again. It
 * happens once at most, and not without a network, where the browser would show its own error page.
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
