/** The members of an SPDX document that the checks read. */
export interface PartsList {
  readonly packages: readonly {
    readonly name: string;
    readonly versionInfo?: string;
    readonly externalRefs?: readonly { readonly referenceType: string; readonly referenceLocator: string }[];
  }[];
}

export interface Contents {
  /** `name@version` of each npm package, without this repository's workspaces. */
  readonly npm: ReadonlySet<string>;
  readonly debian: ReadonlySet<string>;
  /** Libraries outside npm packages, and those of them that a Debian package owns. */
  readonly libraries: ReadonlySet<string>;
  readonly owned: ReadonlySet<string>;
}

/**
 * Lists parts missing from the SBOM. It may contain more, because packages include manifests of
 * fixtures.
 */
export function partFaults(list: PartsList, contents: Contents): readonly string[] {
  const npm = listed(list, 'npm');
  const debian = new Set([...listed(list, 'deb')].map((part) => part.slice(0, part.lastIndexOf('@'))));
  const generic = listed(list, 'generic');
  return [
    ...missing('npm package', contents.npm, npm),
    ...missing('Debian package', contents.debian, debian),
    ...([...generic].some((part) => part.startsWith('node@')) ? [] : ['Node is not in the list']),
    ...[...contents.libraries]
      .filter((file) => !contents.owned.has(file))
      .map((file) => `${file} is of no listed package`),
  ];
}

export function countParts(list: PartsList): string {
  return ['npm', 'deb', 'generic'].map((type) => `${listed(list, type).size} ${type}`).join(', ');
}

function missing(what: string, image: ReadonlySet<string>, list: ReadonlySet<string>): readonly string[] {
  return [...image].filter((part) => !list.has(part)).map((part) => `${what} ${part} is not in the list`);
}

function listed({ packages }: PartsList, type: string): ReadonlySet<string> {
  return new Set(
    packages
      .filter((part) => part.externalRefs?.some(({ referenceLocator }) => referenceLocator.startsWith(`pkg:${type}/`)))
      .map(({ name, versionInfo }) => `${name}@${versionInfo ?? ''}`),
  );
}
