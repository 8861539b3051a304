import { globSync, readFileSync } from 'node:fs';
import { type CallExpression, type NewExpression, parseSync, Visitor } from 'oxc-parser';

export interface Pattern {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

interface ComposedPattern {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface Patterns {
  readonly written: readonly Pattern[];
  readonly composed: readonly ComposedPattern[];
}

const SOURCES = ['{gateway,proto,services/*,deploy/cli}/src/**/*.ts'];

export function sourcesOf(root: string): string[] {
  return globSync(SOURCES, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
}

export function patternsOfSources(root: string): Patterns {
  const found = sourcesOf(root).map((file) => patternsOf(file, readFileSync(`${root}/${file}`, 'utf8')));
  return {
    written: found.flatMap(({ written }) => written),
    composed: found.flatMap(({ composed }) => composed),
  };
}

/** Finds literals, schema `pattern` strings that other code compiles, and every call of RegExp. */
export function patternsOf(file: string, text: string): Patterns {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const written: Pattern[] = [];
  const composed: ComposedPattern[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const compose = (node: CallExpression | NewExpression) => {
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
      composed.push({ file, line: lineOf(node.start), text: text.slice(node.start, node.end) });
  };
  new Visitor({
    Literal: ({ start, ...node }) => {
      if ('regex' in node && node.regex)
        written.push({ file, line: lineOf(start), source: node.regex.pattern, flags: node.regex.flags });
    },
    Property: ({ key, value, start }) => {
      if (
        key.type === 'Identifier' &&
        key.name === 'pattern' &&
        value.type === 'Literal' &&
        typeof value.value === 'string'
      )
        written.push({ file, line: lineOf(start), source: value.value, flags: 'u' });
    },
    CallExpression: compose,
    NewExpression: compose,
  }).visit(program);
  return { written, composed };
}
