import { type Manifest, readManifests, render } from './render.ts';

/** A Job's pod template is immutable, so a change must change its name too. */
export async function jobFaults(kubernetes: string): Promise<string[]> {
  const of = async (...values: readonly string[]) =>
    readManifests(await render('minimal.yaml', kubernetes, ...values.flatMap((value) => ['--set', value])));
  const toolbox = ['toolbox.enabled=true', 'toolbox.kind=Job'];
  const before = await of(...toolbox);
  const changes = ['image.tag=next', 'toolbox.args={account,list}', 'rpc.tls.enabled=true', 'commonLabels.team=books'];
  const after = await Promise.all(changes.map((change) => of(...toolbox, change)));
  return after.flatMap((manifests, index) =>
    changed(before, manifests).map((name) => `Job ${name} is another with ${changes[index]} and has the same name`),
  );
}

function changed(before: readonly Manifest[], after: readonly Manifest[]): string[] {
  const jobs = ({ kind, metadata }: Manifest) => kind === 'Job' && !metadata.annotations?.['helm.sh/hook'];
  const templates = new Map(before.filter(jobs).map((job) => [job.metadata.name, templateOf(job)]));
  return after
    .filter(jobs)
    .filter((job) => (templates.get(job.metadata.name) ?? templateOf(job)) !== templateOf(job))
    .map(({ metadata }) => metadata.name);
}

function templateOf({ spec }: Manifest): string {
  return JSON.stringify(spec?.template);
}
