import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

test('words are runs of letters and digits, lower case and without accents', () => {
  expect(wordsOf("Société Générale's 2nd plant (Montréal, QC)")).toEqual([
    'societe',
    'generale',
    's',
    '2nd',
    'plant',
    'montreal',
    'qc',
  ]);
});

test('names made of signs keep their meaning', () => {
  expect(wordsOf('C#, C++ and .NET; ASP.NET')).toEqual(['csharp', 'cplusplus', 'and', 'dotnet', 'asp', 'dotnet']);
});

test('text that was read in the wrong encoding is read right again', () => {
  const misread = Buffer.from('Doré “REIT”', 'utf8').toString('latin1');
  expect(wordsOf(misread)).toEqual(['dore', 'reit']);
  expect(wordsOf('Â price of £5')).toEqual(['a', 'price', 'of', '5']);
});

test('text without words has none', () => {
  expect(wordsOf(' —!? ')).toEqual([]);
});
