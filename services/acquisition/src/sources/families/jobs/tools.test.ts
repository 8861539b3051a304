import { expect, test } from 'vitest';
import { toolsIn } from './tools.ts';

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
