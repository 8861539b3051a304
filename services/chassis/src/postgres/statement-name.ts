export interface StatementName {
  readonly verb: string;
  /** For example `update job`; never contains a value. */
  readonly summary: string;
}

const WRITES = /\b(insert)\s+into\b|\b(update)\s+\w+\s+(?:as\s+\w+\s+)?set\b|\b(delete)\s+from\b/i;
const TABLES: Readonly<Record<string, RegExp>> = {
  insert: /\binsert\s+into\s+([a-z_]\w*)/i,
  update: /\bupdate\s+([a-z_]\w*)/i,
  delete: /\bdelete\s+from\s+([a-z_]\w*)/i,
  select: /\b(?:from|join)\s+(?!\(|lateral\b|unnest\b)([a-z_]\w*)/i,
};

/** With common table expressions, the first that writes counts. */
export function nameStatement(text: string): StatementName {
  const first = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const verb = first === 'with' ? (WRITES.exec(text)?.slice(1).find(Boolean)?.toLowerCase() ?? 'select') : first;
  const table = TABLES[verb]?.exec(text)?.[1]?.toLowerCase();
  return { verb, summary: table ? `${verb} ${table}` : verb };
}
