export interface QueryParts {
  /** Excludes exclusions and quotation marks. Words of phrases remain: they affect the ranking. */
  readonly text: string;
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
}

/** Extracts `"phrases"`, `-words` and `-"phrases"`, which restrict with any planner. */
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
