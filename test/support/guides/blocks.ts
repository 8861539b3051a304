import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../../gateway/docs/guides');

/** What becomes of a block: run here, compared with what the one before printed, run in the laboratory, or only shown. */
type Use = 'run' | 'output' | 'lab' | 'illustration';

export interface Block {
  readonly language: string;
  /** Undefined: it does not say. */
  readonly use: Use | undefined;
  /** Why it is not run; for an illustration alone. */
  readonly reason: string;
  readonly code: string;
  readonly line: number;
}

/** Every fenced block of a guide, in order; its first line is "```language use" or "```language illustration: reason". */
export function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\w+)(?:: (.+))?)?\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', use, reason = '', code = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    return { language, use: isUse(use) ? use : undefined, reason, code, line };
  });
}

/** A guide's text, by the last part of its address. */
export function readGuide(name: string): string {
  return readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');
}

function isUse(use: string | undefined): use is Use {
  return use !== undefined && ['run', 'output', 'lab', 'illustration'].includes(use);
}
