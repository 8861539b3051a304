import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../../gateway/docs/guides');

/**
 * The test runs a `run` block and its `tab`s, the same in other languages, and compares the
 * `output` block after them with the output of each. It does not run an `illustration`.
 */
type Use = 'run' | 'tab' | 'output' | 'illustration';

export interface Block {
  readonly language: string;
  readonly use: Use | undefined;
  readonly reason: string;
  readonly code: string;
  readonly line: number;
}

/**
 * Returns every fenced block in order. The info string is "language use" or "language illustration:
 * reason".
 */
export function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\w+)(?:: (.+))?)?\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', use, reason = '', code = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    return { language, use: isUse(use) ? use : undefined, reason, code, line };
  });
}

export function readGuide(name: string): string {
  return readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');
}

function isUse(use: string | undefined): use is Use {
  return use !== undefined && ['run', 'tab', 'output', 'illustration'].includes(use);
}
