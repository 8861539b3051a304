import { parseSync } from 'oxc-parser';
import type { Change } from './mutant.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Match {
  readonly node: Node;
  /** What wildcards stand for, as it is written. */
  readonly captured: ReadonlyMap<string, string>;
}

/** The source with the change; throws unless what it replaces stands there once. */
export function mutate(source: string, change: Change): string {
  const [{ start, end, text } = nothing(), ...more] =
    'sql' in change ? inStrings(source, change) : inCode(source, change);
  if (more.length > 0) throw new Error(`${wantedOf(change)} stands there ${more.length + 1} times`);
  return `${source.slice(0, start)}${text}${source.slice(end)}`;

  function nothing(): never {
    throw new Error(`${wantedOf(change)} is not there`);
  }
}

function wantedOf(change: Change): string {
  return 'sql' in change ? change.sql : change.expression;
}

function inCode(source: string, { expression, becomes }: Extract<Change, { expression: string }>) {
  const pattern = parseExpression(expression);
  return nodesOf(parse(source)).flatMap((node) => {
    const captured = new Map<string, string>();
    const fits = matches(pattern, node, (name, text) => captured.set(name, text), source);
    return fits ? [replacementOf({ node, captured }, becomes)] : [];
  });
}

function replacementOf({ node, captured }: Match, becomes: string) {
  const text = becomes.replace(/\$\$?[a-z]\w*/gi, (name) => captured.get(name) ?? name);
  return { start: node.start, end: node.end, text: `(${text})` };
}

/** Words of SQL in string and template literals, however they are spaced. */
function inStrings(source: string, { sql, becomes }: Extract<Change, { sql: string }>) {
  const words = new RegExp(
    sql
      .split(/\s+/)
      .map((word) => word.replace(/[^\w]/g, '\\$&'))
      .join('\\s+'),
    'g',
  );
  const strings = nodesOf(parse(source)).filter(({ type, start }) =>
    type === 'Literal' ? /['"]/.test(source[start] ?? '') : type === 'TemplateElement',
  );
  return strings.flatMap((node) =>
    [...source.slice(node.start, node.end).matchAll(words)].map(({ index, 0: found }) => ({
      start: node.start + index,
      end: node.start + index + found.length,
      text: becomes,
    })),
  );
}

function parse(source: string): unknown {
  const { program, errors } = parseSync('source.ts', source, { preserveParens: false });
  if (errors[0]) throw new Error(errors[0].message);
  return program;
}

/** A pattern may await outside any function: it stands in a module. */
function parseExpression(text: string): unknown {
  const [statement] = (parse(`(${text});`) as { body: readonly { expression: unknown }[] }).body;
  return statement?.expression;
}

function nodesOf(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(nodesOf);
  return isNode(value) ? [value, ...below] : below;
}

const NOT_MEANT = new Set(['start', 'end', 'range', 'raw', 'parent']);

function matches(
  pattern: unknown,
  found: unknown,
  capture: (name: string, text: string) => void,
  source: string,
): boolean {
  const wildcard = wildcardOf(pattern);
  if (wildcard && isNode(found)) {
    capture(wildcard, source.slice(found.start, found.end));
    return true;
  }
  if (Array.isArray(pattern) && Array.isArray(found)) {
    const rest = wildcardOf(pattern.at(-1));
    if (!rest?.startsWith('$$'))
      return pattern.length === found.length && pattern.every((part, at) => matches(part, found[at], capture, source));
    const fixed = pattern.slice(0, -1);
    const [first, last] = [found[fixed.length], found.at(-1)];
    if (found.length >= fixed.length)
      capture(rest, isNode(first) && isNode(last) ? source.slice(first.start, last.end) : '');
    return found.length >= fixed.length && fixed.every((part, at) => matches(part, found[at], capture, source));
  }
  if (typeof pattern !== 'object' || pattern === null || typeof found !== 'object' || found === null)
    return pattern === found;
  const meant = Object.entries(pattern).filter(([name]) => !NOT_MEANT.has(name));
  return meant.every(([name, part]) => matches(part, (found as Record<string, unknown>)[name], capture, source));
}

function wildcardOf(pattern: unknown): string | undefined {
  if (!isNode(pattern) || pattern.type !== 'Identifier') return undefined;
  const { name } = pattern as Node & { readonly name: string };
  return name.startsWith('$') ? name : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
