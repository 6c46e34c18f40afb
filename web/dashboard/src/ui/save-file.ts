/** Saves a file on the person's computer, as a download of the browser. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has read it.
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 10_000);
}
