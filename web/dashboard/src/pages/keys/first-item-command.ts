/**
 * A curl command that pushes a first item, ready to paste; it publishes nothing. `origin` without a slash at its end.
 */
export const firstItemCommand = (origin: string, apiKey: string): string =>
  [
    `curl -X PUT ${origin}/integration/v1/items/A1 \\`,
    `  -H 'x-api-key: ${apiKey}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"title":"Strålkastare Volvo V70","price":450,"imageUrls":[]}'`,
  ].join('\n');
