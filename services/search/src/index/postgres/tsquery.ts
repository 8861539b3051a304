/** A tsquery in text form that finds any of the phrases of lexemes. */
export function anyOf(phrases: readonly (readonly string[])[]): string {
  return phrases.map((phrase) => phrase.map(quoted).join(' <-> ')).join(' | ');
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
