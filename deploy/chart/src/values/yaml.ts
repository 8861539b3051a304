import { stringify } from 'yaml';
import { isGroup, type Value } from './value.ts';
import { COMPONENTS, VALUES } from './values.ts';

const WIDTH = 120;

const HEAD = `# Values of the chart ces. Made from deploy/chart/src/values by \`npm run chart:generate\`: change them there.
# README.md has them as a table, values.schema.json refuses what they cannot be; settings of programs are in \`ces config\`.
`;

export function valuesYaml(): string {
  const parts = Object.entries(VALUES).flatMap(([key, value]) => [
    lines(key, value, 0).join('\n'),
    ...(key === 'defaults' ? [componentLines().join('\n')] : []),
  ]);
  return `${[HEAD.trimEnd(), ...parts].join('\n\n')}\n`;
}

function lines(key: string, value: Value, depth: number): string[] {
  const head = comment(value.description, depth);
  if (!isGroup(value)) return [...head, ...entry(key, value.default, depth)];
  const inner = Object.entries(value.values).flatMap(([name, one]) => lines(name, one, depth + 1));
  return [...head, `${'  '.repeat(depth)}${key}:`, ...inner];
}

function componentLines(): string[] {
  return [
    '# Under the name of a program everything that `defaults` has.',
    'components:',
    ...Object.entries(COMPONENTS).flatMap(([name, { description, values }]) => [
      ...comment(description, 1),
      ...entry(name, values, 1),
    ]),
  ];
}

function entry(key: string, value: unknown, depth: number): string[] {
  const text = stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
  return text.split('\n').map((line) => `${'  '.repeat(depth)}${line}`);
}

function comment(description: string, depth: number): string[] {
  const indent = `${'  '.repeat(depth)}# `;
  const broken: string[] = [];
  let line = indent;
  for (const word of description.split(' ')) {
    if (line.length + word.length > WIDTH && line !== indent) {
      broken.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  return [...broken, line.trimEnd()];
}
