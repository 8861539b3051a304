/** A tsquery in text form that finds any of the phrases of lexemes. */
export function anyOf(phrases: readonly (readonly string[])[]): string {
  return phrases.map((phrase) => phrase.map(quoted).join(' <-> ')).join(' | ');
}

/** The same, content with the lexemes of a phrase anywhere in a text: then an index answers without a look at the row. */
export function anyLooselyOf(phrases: readonly (readonly string[])[]): string {
  return phrases.map((phrase) => phrase.map(quoted).join(' & ')).join(' | ');
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
