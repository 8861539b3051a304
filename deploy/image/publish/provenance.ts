/** What an image was built from, and by what. */
export interface Build {
  /** Commit of this repository, in full. */
  readonly revision: string;
  /** Address of what says how such a build works. */
  readonly buildType: string;
  /** What was asked for, beside the commit. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What it stands on, each `name@sha256:…`. */
  readonly bases: readonly string[];
  /** SHA-256 of package-lock.json, in hexadecimal digits. */
  readonly lockDigest: string;
  readonly builder: string;
  /** As `host/name@sha256:…`. */
  readonly reference: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

export type Provenance = ReturnType<typeof provenanceOf>;

/** The type of what Docker builds. */
export const DOCKER_BUILD = 'https://mobyproject.org/dockerfile@v1';

/** The statement of in-toto that says of an image, by https://slsa.dev/provenance/v1, what it was built from. */
export function provenanceOf(build: Build) {
  const { revision, buildType, parameters, bases, lockDigest, builder, reference, startedAt, finishedAt } = build;
  const predicate = {
    buildDefinition: {
      buildType,
      externalParameters: { ...parameters, revision },
      internalParameters: {},
      resolvedDependencies: [
        { uri: 'git+company-evidence-search', digest: { gitCommit: revision } },
        { uri: 'git+company-evidence-search#package-lock.json', digest: { sha256: lockDigest } },
        ...bases.map((base) => ({ uri: `docker-image://${base}`, digest: { sha256: base.slice(-64) } })),
      ],
    },
    runDetails: {
      builder: { id: builder },
      metadata: { startedOn: startedAt.toISOString(), finishedOn: finishedAt.toISOString() },
    },
  };
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: reference.slice(0, reference.indexOf('@')), digest: { sha256: reference.slice(-64) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate,
  };
}

/** What of a provenance is not as it is known to be; one that is well signed may still tell of another build. */
export function provenanceFaults(
  { subject, predicate }: Provenance,
  build: Pick<Build, 'revision' | 'lockDigest' | 'reference'>,
): readonly string[] {
  const { externalParameters, resolvedDependencies } = predicate.buildDefinition;
  const digests = resolvedDependencies.map(({ digest }) => Object.values(digest)[0]);
  return [
    ...(subject[0]?.digest.sha256 === build.reference.slice(-64) ? [] : ['it is of another image']),
    ...(externalParameters.revision === build.revision ? [] : [`it is of revision ${externalParameters.revision}`]),
    ...(digests.includes(build.lockDigest) ? [] : ['it is of another lock']),
    ...(digests.every((digest) => /^[0-9a-f]{40,64}$/.test(digest ?? '')) ? [] : ['a material has no digest']),
  ];
}
