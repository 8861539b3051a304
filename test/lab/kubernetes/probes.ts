const CONTROL_PORT = 8079;

/** A call that a probe is to try. */
export interface Target {
  readonly protocol: 'tcp' | 'udp';
  /** As `10.244.0.7:80` or with a name. */
  readonly address: string;
}

/** What came of it. */
interface Outcome extends Target {
  readonly open: boolean;
  /** Why it is closed. */
  readonly reason?: string;
  readonly millis: number;
}

/** A pod, or what stands for one, that answers on its ports and tries those of others. */
export interface Probe {
  readonly address: string;
  /** From inside it; told over its control port, which the node reaches whatever policies say. */
  try(targets: readonly Target[]): Promise<readonly Outcome[]>;
}

export function probeAt(address: string): Probe {
  return { address, try: (targets) => ask(address, targets) };
}

async function ask(address: string, targets: readonly Target[]): Promise<readonly Outcome[]> {
  const response = await fetch(`http://${address}:${CONTROL_PORT}/try`, {
    method: 'POST',
    body: JSON.stringify(targets),
  });
  if (!response.ok) throw new Error(`the probe at ${address} answered ${response.status}`);
  return (await response.json()) as readonly Outcome[];
}
