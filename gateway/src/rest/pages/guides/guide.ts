import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/', import.meta.url);

const GROUPS = {
  'Get started': ['guides/first-search', 'guides/units', 'guides/keys-and-retries', 'guides/evidence'],
  Guides: [
    ...['guides/pages', 'guides/background', 'guides/errors', 'guides/moving'],
    ...['guides/typescript', 'guides/mcp', 'guides/grpc'],
  ],
  Reference: ['contract'],
} as const;

type Group = keyof typeof GROUPS;

export interface Guide {
  readonly name: string;
  readonly group: Group;
  readonly title: string;
  readonly summary: string;
  readonly markdown: string;
}

export function readGuides(): readonly Guide[] {
  return Object.entries(GROUPS).flatMap(([group, files]) => files.map((file) => readGuide(file, group as Group)));
}

function readGuide(file: string, group: Group): Guide {
  const markdown = withServedLinks(readFileSync(new URL(`${file}.md`, FOLDER), 'utf8'));
  const [, title = '', summary = ''] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(markdown) ?? [];
  return { name: nameOf(file), group, title, summary: summary.replaceAll('\n', ' '), markdown };
}

function nameOf(file: string): string {
  return file.replace(/^.*\//, '');
}

/** In the repository, guides link to each other by file name. */
function withServedLinks(markdown: string): string {
  return markdown.replace(/\]\((?:\.\.\/|guides\/)?([a-z-]+\.md)(#[\w-]+)?\)/g, '](/docs/$1$2)');
}
