import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Source } from '../connector/source.ts';
import { sources } from './registry.ts';

const README = readFileSync(new URL('./README.md', import.meta.url), 'utf8');

const LICENCES: readonly (readonly [RegExp, string])[] = [
  [/^Open Government Licence – Canada$/, 'Open Government Licence – Canada'],
  [/Attribution 4\.0/, 'CC BY 4.0'],
  [/CC0 1\.0/, 'CC0 1.0'],
  [/public domain/i, 'public domain'],
  [/no licence stated/, 'none stated'],
];

function interval({ mode, schedule }: Source): string {
  if (mode === 'on_demand') return 'in searches';
  if (!schedule) return 'by hand';
  const hours = schedule.everyMinutes / 60;
  return hours > 24 ? `${hours / 24} days` : `${hours} h`;
}

test('the README names every source with its state, interval and licence, and no other', () => {
  const rows = [...README.matchAll(/^\| ([a-z_0-9]+) \|.*\| (.+) \| (.+) \| (.+) \|$/gm)];
  const documented = rows.map(([, name, state, every, licence]) => ({ name, state, every, licence }));
  const wanted = sources.map((source) => {
    const settings = (source.settings ?? []).filter(({ required }) => required).map(({ name }) => `\`${name}\``);
    const wants = settings.length > 0 ? `; wants ${settings.join(', ')}` : '';
    return {
      name: source.name,
      state: `${source.verified ? 'verified, on' : 'unverified, off'}${wants}`,
      every: interval(source),
      licence: LICENCES.find(([pattern]) => pattern.test(source.licence.name))?.[1],
    };
  });
  expect(documented.filter(({ name }) => name !== 'source')).toEqual(wanted);
});

test('names are distinct, and each source has a folder with a README of its politeness and terms', () => {
  expect(new Set(sources.map(({ name }) => name)).size).toBe(sources.length);
  for (const { name } of sources) {
    const file = new URL(`./${name.replaceAll('_', '-')}/README.md`, import.meta.url);
    expect([name, existsSync(file)]).toEqual([name, true]);
    expect(readFileSync(file, 'utf8')).toMatch(/\*\*Politeness\.\*\*[\s\S]*\*\*Terms\.\*\*/);
  }
});
