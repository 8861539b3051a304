import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { chooseNode, choosePostgres } from '../../servers/src/machine/choice.mjs';
import { thisMachine } from '../../servers/src/machine/this-machine.mjs';

const execute = promisify(execFile);
const DATABASES = ['LEDGER', 'LOOKUP', 'SEARCH', 'ACQUISITION', 'OPERATIONS'];

export function checkMachine(task) {
  const named = DATABASES.every((name) => process.env[`CES_${name}_DATABASE_URL`]);
  const needed = task === 'test' || (task === 'start' && !named);
  const facts = { ...thisMachine(), own: process.versions.node, named: !needed };
  const { sentence } = [chooseNode(facts), choosePostgres(facts)].find((one) => one.sentence) ?? {};
  if (sentence) throw new Error(sentence);
}

/** The Node that npm installed for this machine, else the current one if it can run TypeScript. */
export async function findNode(root) {
  const installed = path.join(root, 'node_modules/.bin/node');
  const packageRuns = await execute(installed, ['--version']).then(
    () => true,
    () => false,
  );
  const { use, sentence } = chooseNode({ ...thisMachine(), own: process.versions.node, packageRuns });
  if (sentence) throw new Error(sentence);
  return use === 'package' ? installed : process.execPath;
}
