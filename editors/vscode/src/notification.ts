// Words in notifications.

/** Returns a text in which VS Code finds no link: what a model or a program said could run a command there. */
export function unlinked(text: string): string {
  return text.replaceAll("](", "] (");
}
