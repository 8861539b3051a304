/** What a list of parts in SPDX says, as far as it is read here. */
export interface PartsList {
  readonly packages: readonly {
    readonly name: string;
    readonly versionInfo?: string;
    readonly externalRefs?: readonly { readonly referenceType: string; readonly referenceLocator: string }[];
  }[];
}

/** What stands in an image by other sources than the list of its parts. */
export interface Contents {
  /** `name@version` of each npm package, the workspaces of this repository left out. */
  readonly npm: ReadonlySet<string>;
  /** Names of the Debian packages. */
  readonly debian: ReadonlySet<string>;
  /** Version of Node. */
  readonly node: string;
  /** Libraries outside packages of npm, and those of them that a Debian package owns. */
  readonly libraries: ReadonlySet<string>;
  readonly owned: ReadonlySet<string>;
}

/** Parts of the image that the list lacks. It may name more: packages carry manifests of their fixtures. */
export function partFaults(list: PartsList, contents: Contents): readonly string[] {
  const npm = listed(list, 'npm');
  const debian = new Set([...listed(list, 'deb')].map((part) => part.slice(0, part.lastIndexOf('@'))));
  const generic = listed(list, 'generic');
  return [
    ...missing('npm package', contents.npm, npm),
    ...missing('Debian package', contents.debian, debian),
    ...(generic.has(`node@${contents.node}`) ? [] : [`Node ${contents.node} is not in the list`]),
    ...[...contents.libraries]
      .filter((file) => !contents.owned.has(file))
      .map((file) => `${file} is of no listed package`),
  ];
}

/** How many parts of each kind a list has, as `220 npm, 3 deb, 1 generic`. */
export function countParts(list: PartsList): string {
  return ['npm', 'deb', 'generic'].map((type) => `${listed(list, type).size} ${type}`).join(', ');
}

function missing(what: string, image: ReadonlySet<string>, list: ReadonlySet<string>): readonly string[] {
  return [...image].filter((part) => !list.has(part)).map((part) => `${what} ${part} is not in the list`);
}

/** `name@version` of every part whose package URL is of a type. */
function listed({ packages }: PartsList, type: string): ReadonlySet<string> {
  return new Set(
    packages
      .filter((part) => part.externalRefs?.some(({ referenceLocator }) => referenceLocator.startsWith(`pkg:${type}/`)))
      .map(({ name, versionInfo }) => `${name}@${versionInfo ?? ''}`),
  );
}
