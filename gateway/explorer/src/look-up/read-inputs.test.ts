import { expect, test } from 'vitest';
import { readInputs } from './read-inputs.ts';

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

test('what is looked up in another form than pasted is said', () => {
  expect(readInputs('https://Www.Alder.example/about?x=1 b.example. plain.example')).toEqual({
    state: 'ready',
    kind: 'domains',
    values: ['www.alder.example', 'b.example', 'plain.example'],
    repeated: [],
    rewritten: [
      { from: 'https://Www.Alder.example/about?x=1', to: 'www.alder.example' },
      { from: 'b.example.', to: 'b.example' },
    ],
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
    sentence:
      'There are both ids (12) and domains (a.example): look up ids and domains separately.',
  });
});

test.each([
  ['Domain a.example', '“Domain” is neither'],
  ['info@a.example', '“info@a.example” is an e-mail address'],
  ['192.168.0.1', '“192.168.0.1” is neither'],
  ['http://[::1]/', 'is neither'],
  ['007', '“007” is not a company id'],
  ['9007199254740993', 'is not a company id'],
  ['-a.example', 'is neither'],
  ['a..example', 'is neither'],
  ['a@b.example c@d.example e@f.example', '2 other values are also invalid.'],
])('%s is refused and named', (text, words) => {
  const read = readInputs(text);
  expect(read.state === 'refused' && read.sentence).toContain(words);
});

test('white space and separators alone are nothing yet', () => {
  expect(readInputs(' ,;\n\t')).toEqual({ state: 'empty' });
});
