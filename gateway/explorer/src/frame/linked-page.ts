const PAGES: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^\/companies\/(\d+)$/, (id) => `company ${id}`],
  [/^\/observations\/(\d+)$/, (id) => `observation ${id}`],
  [/^\/operations\/(\d+)$/, (id) => `operation ${id} of your account`],
  [/^\/operations$/, () => 'the operations of your account'],
  [/^\/look-up$/, () => 'a form to look companies up'],
  [/^\/saved$/, () => 'the searches saved in this browser'],
  [/^\/usage$/, () => 'the usage of your subscription'],
];

/** Undefined for the start page and unknown addresses. */
export function linkedPage(path: string, search: string): string | undefined {
  const query = new URLSearchParams(search).get('q');
  if (path === '/') return query ? `a search for “${query}”` : undefined;
  return (
    PAGES.map(([pattern, words]) => {
      const match = pattern.exec(path);
      return match && words(match[1] ?? '');
    }).find((words) => words !== null) ?? undefined
  );
}
