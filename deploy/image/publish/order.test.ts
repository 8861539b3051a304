import { expect, test } from 'vitest';
import { type Order, readOrder } from './order.ts';

const GIVEN = {
  '--registry': 'registry.example.com:5000/team/evidence',
  '--version': '1.4.0-rc.1',
  '--sign': 'release',
};
const DIGEST = `sha256:${'a'.repeat(64)}`;

test('the arguments select the images and the registry to publish to', () => {
  expect(read({ '--bundle': 'out/ces.tar', '--base': `gcr.io/node@${DIGEST}` }, '--plain-http')).toEqual({
    host: 'registry.example.com:5000',
    path: 'team/evidence',
    version: '1.4.0-rc.1',
    base: `gcr.io/node@${DIGEST}`,
    assemblesBase: false,
    key: 'release',
    bundle: 'out/ces.tar',
    plainHttp: true,
  });
});

test.each([
  ['a scheme', { '--registry': 'https://registry.example.com/team' }, '--registry must be HOST[:PORT]/PATH'],
  ['no path', { '--registry': 'registry.example.com' }, '--registry must be HOST[:PORT]/PATH'],
  ['a tag', { '--registry': 'registry.example.com/team:1' }, '--registry must be HOST[:PORT]/PATH'],
  ['an upper-case path', { '--registry': 'registry.example.com/Team' }, '--registry must be HOST[:PORT]/PATH'],
  ['a tag for a version', { '--version': 'latest' }, '--version must be a version of SemVer'],
  ['a v before the version', { '--version': 'v1.4.0' }, '--version must be a version of SemVer'],
  ['build metadata', { '--version': '1.4.0+7' }, '--version must be a version of SemVer'],
  ['a number with a zero before it', { '--version': '1.04.0' }, '--version must be a version of SemVer'],
  ['a base by its tag', { '--base': 'gcr.io/node:24' }, '--base must name its digest'],
  ['a key itself', { '--sign': '-----BEGIN PRIVATE KEY-----' }, '--sign'],
  ['a bundle that is no archive', { '--bundle': 'ces' }, '--bundle must be a file that ends in .tar'],
])('%s is refused in one sentence', (_, changed, message) => {
  expect(() => read(changed)).toThrow(message);
});

test('a password in the address is refused and not printed', () => {
  const refused = catchFailure(() => read({ '--registry': 'someone:hunter2@registry.example.com/team' }));
  expect(refused).toContain('log in first');
  expect(refused).not.toContain('hunter2');
});

test('whether it is signed is said and not guessed', () => {
  const either = 'Say either --sign with the name of a key or --unsigned.';
  expect(() => read({}, '--unsigned')).toThrow(either);
  expect(() => readOrder(['--registry', GIVEN['--registry'], '--version', '1.4.0'])).toThrow(either);
  expect(readOrder(['--registry', GIVEN['--registry'], '--version', '1.4.0', '--unsigned']).key).toBeUndefined();
});

test('a base is given or built, and unknown arguments are refused', () => {
  expect(() => read({ '--base': `gcr.io/node@${DIGEST}` }, '--assemble-base')).toThrow('Say either --base or');
  expect(catchFailure(() => read({}, '--force'))).toMatch(/^Unknown option '--force'\.$/);
});

function read(changed: Readonly<Record<string, string>>, ...flags: readonly string[]): Order {
  return readOrder([...Object.entries({ ...GIVEN, ...changed }).flat(), ...flags]);
}

function catchFailure(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was taken');
}
