import { expect, test } from 'vitest';
import { TOOLS, toolsIn } from './tools.ts';

test('no tool is listed twice', () => {
  expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
});

test.each([
  ['You know AWS and Power BI.', ['Amazon Web Services', 'Power BI']],
  ['We slack off in workdays, spark joy, and sap no energy.', []],
  ['PostgreSQL/MySQL, Jira-based work', ['Jira', 'MySQL', 'PostgreSQL']],
])('%s', (text, names) => {
  expect(
    toolsIn(text)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(names);
});
