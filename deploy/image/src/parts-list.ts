import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A package of `npm sbom`, as far as it matters here. */
interface Part {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo: string;
}

interface PartsList {
  readonly packages: readonly Part[];
  readonly relationships: readonly { readonly spdxElementId: string; readonly relatedSpdxElement: string }[];
}

const FILE = 'sbom.spdx.json';
const PLACES = 'node_modules/.package-lock.json';

// The lockfile knows of more than an image has: what is listed must be there, and what is there must be listed.
const list: PartsList = JSON.parse(readFileSync(FILE, 'utf8'));
const present = installed();
const packages = list.packages.filter(
  ({ name, versionInfo }, index) => index === 0 || present.has(`${name}@${versionInfo}`),
);
const listed = new Set(packages.map(({ name, versionInfo }) => `${name}@${versionInfo}`));
const unlisted = [...present].filter((part) => !listed.has(part));
if (unlisted.length > 0) throw new Error(`the list of parts lacks ${unlisted.join(', ')}`);

const ids = new Set(['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }) => SPDXID)]);
const relationships = list.relationships.filter(
  ({ spdxElementId, relatedSpdxElement }) => ids.has(spdxElementId) && ids.has(relatedSpdxElement),
);
writeFileSync(FILE, `${JSON.stringify({ ...list, packages, relationships }, undefined, 1)}\n`);
process.stdout.write(`${packages.length} packages\n`);

/** Name and version of everything that npm has put here and that is still here. */
function installed(): ReadonlySet<string> {
  const { packages: places }: { packages: Record<string, { name?: string; version?: string; link?: boolean }> } =
    JSON.parse(readFileSync(PLACES, 'utf8'));
  return new Set(
    Object.entries(places).flatMap(([place, { name, version, link }]) =>
      link || !existsSync(place) ? [] : [`${name ?? place.replace(/^.*node_modules\//, '')}@${version}`],
    ),
  );
}
