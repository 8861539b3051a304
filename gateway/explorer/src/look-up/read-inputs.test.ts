import { expect, test } from 'vitest';
import { readInputs, withoutWww } from './read-inputs.ts';

test('a column, a list and a sentence of domains are read alike', () => {
  const values = ['alder.example', 'b-c.example', 'xn--caf-dma.example'];
  for (const text of [
    'alder.example\nb-c.example\ncafé.example\n',
    'alder.example\t\r\nb-c.example\t\r\ncafé.example',
    'alder.example, b-c.example;café.example',
    '"alder.example","b-c.example","café.example"',
    '["alder.example", \'b-c.example\'] | café.example',
  ])
    expect(readInputs(text)).toMatchObject({ state: 'ready', kind: 'domains', values });
});

test('inputs that were normalised are shown with their original form', () => {
  expect(readInputs('https://Www.Alder.example/about?x=1 b.example. plain.example')).toEqual({
    state: 'ready',
    kind: 'domains',
    values: ['www.alder.example', 'b.example', 'plain.example'],
    repeated: [],
    rewritten: [
      { from: 'https://Www.Alder.example/about?x=1', to: 'www.alder.example' },
      { from: 'b.example.', to: 'b.example' },
    ],
    skipped: [],
  });
});

test('repetitions are counted and looked up once, at their first position', () => {
  expect(readInputs('b.example a.example B.example https://b.example/')).toMatchObject({
    values: ['b.example', 'a.example'],
    repeated: [{ value: 'b.example', times: 3 }],
  });
  expect(readInputs('7 12 7')).toMatchObject({
    kind: 'ids',
    values: ['7', '12'],
    repeated: [{ value: '7', times: 2 }],
  });
});

test('ids and domains together are refused with a sentence that names one of each', () => {
  expect(readInputs('12, a.example')).toEqual({
    state: 'refused',
    sentence: 'There are both ids (12) and domains (a.example): look up ids and domains separately.',
  });
});

test.each([
  ['Domain', 'neither a domain nor a company id'],
  ['info@a.example', 'an e-mail address'],
  ['192.168.0.1', 'neither a domain nor a company id'],
  ['http://::1/', 'neither a domain nor a company id'],
  ['-a.example', 'neither a domain nor a company id'],
  ['a..example', 'neither a domain nor a company id'],
])('%s is listed and skipped, and the rest is looked up', (text, reason) => {
  expect(readInputs(`${text}\nb.example`)).toMatchObject({
    state: 'ready',
    values: ['b.example'],
    skipped: [{ text, reason }],
  });
});

test.each(['007', '9007199254740993'])('%s is no company id', (text) => {
  expect(readInputs(`${text} 7`)).toMatchObject({
    values: ['7'],
    skipped: [{ text, reason: 'not a company id: ids are whole numbers from 1, without leading zeros' }],
  });
});

test('when nothing is left, the first value says why', () => {
  expect(readInputs('a@b.example c@d.example e@f.example')).toEqual({
    state: 'refused',
    sentence:
      '“a@b.example” is an e-mail address. Paste domains, website addresses or company ids. 2 other values are also invalid.',
  });
});

test('white space and separators count as no input', () => {
  expect(readInputs(' ,;\n\t')).toEqual({ state: 'empty' });
});

test('of a table only the column with domains is read, and that is said', () => {
  const csv =
    'Name,Employees,Website\n"Alder, Inc.",120,https://alder.example/\nKestrel,7,kestrel.example\nNone,3,n/a\n';
  expect(readInputs(csv)).toEqual({
    state: 'ready',
    kind: 'domains',
    values: ['alder.example', 'kestrel.example'],
    repeated: [],
    rewritten: [{ from: 'https://alder.example/', to: 'alder.example' }],
    skipped: [{ text: 'n/a', reason: 'neither a domain nor a company id' }],
    column: 'column “Website”, not 2 other columns',
  });
  expect(readInputs('Alder\talder.example\nKestrel\tkestrel.example')).toMatchObject({
    values: ['alder.example', 'kestrel.example'],
    column: 'column number 2, not 1 other column',
  });
});

test('a table without domains is read for its ids', () => {
  expect(readInputs('id;name\n7;Alder\n12;Kestrel')).toMatchObject({ kind: 'ids', values: ['7', '12'] });
});

test('rows of nothing but domains are a list', () => {
  const read = readInputs('a.example, b.example\nc.example, d.example');
  expect(read).toMatchObject({ values: ['a.example', 'b.example', 'c.example', 'd.example'] });
  expect(read).not.toHaveProperty('column');
});

test('“www.” is removed where an address begins, and nowhere else', () => {
  expect(withoutWww('Alder,https://www.alder.example/www.x\nwww.b.example (WWW.c.example) www.example')).toBe(
    'Alder,https://alder.example/www.x\nb.example (c.example) www.example',
  );
});
