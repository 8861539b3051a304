import type { ProductPod } from './product.ts';

const ADMIN_PORT = 9090;

interface Sample {
  /** With its labels, as the pod writes it. */
  readonly series: string;
  readonly value: number;
}

/** What a pod shows at its port for metrics, of the series that are asked for. */
export async function metricsOf({ name, address }: ProductPod, wanted: RegExp): Promise<Sample[]> {
  const answer = await fetch(`http://${address}:${ADMIN_PORT}/metrics`);
  if (!answer.ok) throw new Error(`${name} shows no metrics`);
  return (await answer.text()).split('\n').flatMap((line) => {
    const end = line.lastIndexOf(' ');
    return wanted.test(line) ? [{ series: line.slice(0, end), value: Number(line.slice(end + 1)) }] : [];
  });
}
