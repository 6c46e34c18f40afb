/** Joins the given names: `classNames('button', isWide && 'button-wide')`. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => name !== false && name !== undefined && name !== '').join(' ');
