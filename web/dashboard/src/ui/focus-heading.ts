/** For when what had the focus is gone: the page's heading takes it, so that the keyboard and a screen reader go on there. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}

/** The same, unless something has the focus. */
export function focusHeadingWhenLost(): void {
  if (document.activeElement === document.body) focusHeading();
}
