import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { parseAllDocuments } from 'yaml';
import { findProgram, run } from '../programs/programs.ts';

export const CHART = path.join(REPOSITORY, 'charts/ces');
const EXAMPLES = path.join(CHART, 'examples');
export const RELEASE = 'evidence';

export interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Record<string, unknown>;
  readonly [field: string]: unknown;
}

export async function listExamples(): Promise<string[]> {
  return (await readdir(EXAMPLES)).filter((file) => file.endsWith('.yaml')).sort();
}

export async function render(example: string, kubernetes: string, ...more: readonly string[]): Promise<string> {
  return await renderAs(RELEASE, example, kubernetes, ...more);
}

export async function renderAs(
  release: string,
  example: string,
  kubernetes: string,
  ...more: readonly string[]
): Promise<string> {
  const helm = await findProgram('helm');
  const values = path.join(EXAMPLES, example);
  return await run(helm, ['template', release, CHART, '--values', values, '--kube-version', kubernetes, ...more]);
}

export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}
