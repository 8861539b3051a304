import { expect, test } from 'vitest';
import { nameStatement } from './statement-name.ts';

test.each([
  ['select 1', 'select'],
  ['select a.b from lateral (select 1) x join operation o on true', 'select operation'],
  ['begin', 'begin'],
  ['\n  update job set owner = null where id = $1', 'update job'],
  [
    'with due as (select id from job), done as (update job as j set x = 1 from due returning j.id) select 1',
    'update job',
  ],
  ['with made as (insert into operation (id) values ($1) returning id) select * from made', 'insert operation'],
  ['with gone as (delete from hold where id = $1 returning 1) select 2', 'delete hold'],
  ['with x as (select 1 from company for update) select * from x', 'select company'],
  ['', 'statement'],
])('%s is called %s', (text, summary) => {
  expect(nameStatement(text).summary).toBe(summary);
});
