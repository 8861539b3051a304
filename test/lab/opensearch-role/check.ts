import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NotAssembled } from '../../support/opensearch/assemble.ts';
import { readArguments } from '../support/arguments.ts';
import { actionsAskedFor } from './asked-actions.ts';
import { narrowings } from './narrowings.ts';
import { type Role, roleOfPage } from './page-role.ts';
import { findTrespasses } from './refusals.ts';
import { ALL, FEW, runTestsAsProduct } from './run-tests.ts';
import { type SecuredServer, startSecuredServer } from './secured-server.ts';

const { values } = readArguments('npm run lab -- opensearch-role [--each]', { each: { type: 'boolean' } });

process.exitCode = await main();

/**
 * Checks on a secured server that the documented role is sufficient for the tests and grants
 * nothing else.
 */
async function main(): Promise<number> {
  const role = await roleOfPage();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-opensearch-role-'));
  await chmod(directory, 0o711);
  try {
    await using server = await startSecuredServer(directory, role);
    const problems = [...(await findTrespasses(server)), ...(await problemsOfTests(server))];
    if (values.each) problems.push(...(await findSuperfluous(server, role)));
    for (const problem of problems) console.log(problem);
    console.log(
      problems.length === 0 ? 'the role suffices, and allows nothing outside its prefix' : 'the role is wrong',
    );
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NotAssembled)) throw error;
    console.log(`NOT RUN: an OpenSearch with the security plugin cannot be assembled here: ${error.message}.`);
    return 0;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function problemsOfTests(server: SecuredServer): Promise<readonly string[]> {
  const { passed, output } = await runTestsAsProduct(server, ALL);
  console.log(
    output
      .split('\n')
      .filter((line) => /^ *(Test Files|Tests) /.test(line))
      .join('\n'),
  );
  const asked = await actionsAskedFor(server.logFile, server.product.user);
  console.log(`asked for: ${[...asked].toSorted().join(', ')}`);
  return passed ? [] : [`tests failed with the role of the page:\n${output}`];
}

/** Removes each action separately. If the tests still pass, the role grants too much. */
async function findSuperfluous(server: SecuredServer, role: Role): Promise<readonly string[]> {
  const superfluous: string[] = [];
  for (const { what, narrowed } of narrowings(role)) {
    await server.grant(narrowed);
    const { passed } = await runTestsAsProduct(server, FEW);
    console.log(`${what}: ${passed ? 'tests pass' : 'tests fail'}`);
    if (passed) superfluous.push(`the role allows too much: tests pass ${what}`);
  }
  await server.grant(role);
  return superfluous;
}
