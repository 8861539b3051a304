import { provenanceFaults, provenanceOf } from '@ces/image/publish/provenance';
import { expect, test } from 'vitest';
import { countParts, type PartsList, partFaults } from './parts.ts';

const LIST: PartsList = {
  packages: [part('npm', 'pg', '8.23.1'), part('deb', 'libc6', '2.36-9'), part('generic', 'node', '24.21.0')],
};
const CONTENTS = {
  npm: new Set(['pg@8.23.1']),
  debian: new Set(['libc6']),
  node: '24.21.0',
  libraries: new Set(['lib/libc.so.6']),
  owned: new Set(['lib/libc.so.6']),
};

test('a list that names every part has no fault', () => {
  expect(partFaults(LIST, CONTENTS)).toEqual([]);
  expect(countParts(LIST)).toBe('1 npm, 1 deb, 1 generic');
});

test('what is in the image and not in the list is a fault, of whatever kind it is', () => {
  const contents = {
    ...CONTENTS,
    npm: new Set(['pg@8.23.1', 'pg@8.23.2']),
    debian: new Set(['libc6', 'libssl3']),
    node: '24.22.0',
    libraries: new Set(['lib/libc.so.6', 'lib/libodd.so']),
  };
  expect(partFaults(LIST, contents)).toEqual([
    'npm package pg@8.23.2 is not in the list',
    'Debian package libssl3 is not in the list',
    'Node 24.22.0 is not in the list',
    'lib/libodd.so is of no listed package',
  ]);
});

test('a provenance names commit, lock and both bases by digest, and one of another build is told', () => {
  const base = (digit: string) => `name:tag@sha256:${digit.repeat(64)}`;
  const build = {
    revision: '1'.repeat(40),
    buildType: 'https://builder.example/dockerfile',
    parameters: { buildArguments: { REVISION: '1'.repeat(40) } },
    bases: [base('2'), base('3')],
    lockDigest: '4'.repeat(64),
    builder: 'https://builder.example',
    reference: `127.0.0.1:5000/name@sha256:${'7'.repeat(64)}`,
    startedAt: new Date('2026-11-23T06:00:00Z'),
    finishedAt: new Date('2026-11-23T06:04:00Z'),
  };
  const provenance = provenanceOf(build);
  const digests = provenance.predicate.buildDefinition.resolvedDependencies.map(
    ({ digest }) => Object.values(digest)[0],
  );
  expect(digests).toEqual(['1'.repeat(40), '4'.repeat(64), '2'.repeat(64), '3'.repeat(64)]);
  expect(provenanceFaults(provenance, build)).toEqual([]);
  expect(provenanceFaults(provenance, { ...build, revision: '5'.repeat(40) })).toEqual([
    `it is of revision ${'1'.repeat(40)}`,
  ]);
  expect(provenanceFaults(provenance, { ...build, lockDigest: '6'.repeat(64) })).toEqual(['it is of another lock']);
  const other = `127.0.0.1:5000/name@sha256:${'8'.repeat(64)}`;
  expect(provenanceFaults(provenance, { ...build, reference: other })).toEqual(['it is of another image']);
  const tagged = provenanceOf({ ...build, bases: ['name:tag', base('3')] });
  expect(provenanceFaults(tagged, build)).toEqual(['a material has no digest']);
});

function part(type: string, name: string, versionInfo: string): PartsList['packages'][number] {
  return {
    name,
    versionInfo,
    externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:${type}/${name}@${versionInfo}` }],
  };
}
