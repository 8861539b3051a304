/** A query with quoted phrases and exclusions apart from the rest. */
export interface QueryParts {
  /** The text without exclusions and without marks; the words of phrases stay in it, since they weigh too. */
  readonly text: string;
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
}

/** Takes `"phrases"`, `-words` and `-"phrases"` out of a query (both restrict the result, whoever plans). */
export function parseQuerySyntax(query: string): QueryParts {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const text = query
    .replace(/[“”„«»]/g, '"')
    .replace(/(?<=^|\s)-(?:"([^"]*)"|(?=[\p{L}\p{N}.])([^\s"]+))/gu, (_, phrase?: string, word?: string) => {
      excluded.push((phrase ?? word ?? '').trim());
      return ' ';
    })
    .replace(/"([^"]*)"/g, (_, phrase: string) => {
      phrases.push(phrase.trim());
      return ` ${phrase} `;
    });
  return { text, phrases: distinct(phrases), excluded: distinct(excluded) };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
