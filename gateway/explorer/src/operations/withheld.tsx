import { Callout } from '../ui/callout.tsx';

export function Withheld({ units }: { readonly units: number }) {
  if (units === 0) return null;
  const some = units === 1 ? '1 company is' : `${units} companies are`;
  return (
    <Callout tone="warn" title={`${some} withheld from this result.`}>
      <p>
        The evidence for {units === 1 ? 'it' : 'them'} was withdrawn since. Settled units stay settled, and restored
        evidence appears again.
      </p>
    </Callout>
  );
}
