export interface Build {
  readonly revision: string;
  readonly buildType: string;
  /** External parameters other than the commit. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly bases: readonly string[];
  readonly lockDigest: string;
  readonly builder: string;
  readonly reference: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

export type Provenance = ReturnType<typeof provenanceOf>;

/** An in-toto statement with a SLSA provenance v1 predicate (https://slsa.dev/provenance/v1). */
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

/** A valid signature does not prove that it describes this build. */
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
