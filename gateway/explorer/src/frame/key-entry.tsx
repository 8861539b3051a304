import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorCallout } from '../errors/error-callout.tsx';
import { openSession, useSessionContext } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import styles from './key-entry.module.css';

/** The usage report is free, so it can test a key. */
export function KeyEntry() {
  const { begin } = useSessionContext();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const { keys, isSample } = useSampleKeys();
  const entry = useMutation({
    mutationFn: async (apiKey: string) => {
      await openSession(apiKey, queryClient).ces.getUsage();
      begin(apiKey);
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    entry.mutate(typed.trim());
  }
  return (
    <section className={styles.card} aria-labelledby="key-entry">
      <h2 id="key-entry">Your API key</h2>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label="API key"
          hint="The key stays in this tab and in tabs that you open from its links, until you close them. It is sent only to this service."
        >
          <TextInput
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder="ces_live_…"
            autoComplete="off"
            spellCheck={false}
            mono
          />
        </Field>
        <Button kind="primary" type="submit" disabled={typed.trim() === ''} busy={entry.isPending}>
          Use this key
        </Button>
      </form>
      {keys.length > 0 && (
        <div className={styles.samples}>
          <p id="sample-keys">
            This is a local stack{isSample && ' with fictional companies'}. Use one of its keys: builder and
            professional have different plans; sandbox is a test key, which is never billed.
          </p>
          <ul className={styles.list} aria-labelledby="sample-keys">
            {keys.map(({ name, apiKey }) => (
              <li key={name}>
                <Button onClick={() => entry.mutate(apiKey)} disabled={entry.isPending}>
                  Use the {name} key
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {entry.error && <ErrorCallout error={entry.error} />}
    </section>
  );
}

interface SampleKey {
  readonly name: string;
  readonly apiKey: string;
}

interface SampleKeys {
  readonly keys: readonly SampleKey[];
  /** Whether the companies are fictional. */
  readonly isSample: boolean;
}

interface SampleKeysBody {
  readonly credentials: Readonly<Record<string, string>>;
  readonly sample: boolean;
}

const NO_KEYS: SampleKeys = { keys: [], isSample: false };

/** Only a local stack has sample keys; elsewhere the route answers 404. */
function useSampleKeys(): SampleKeys {
  const { data = NO_KEYS } = useQuery({ queryKey: ['sample-keys'], queryFn: fetchSampleKeys });
  return data;
}

async function fetchSampleKeys(): Promise<SampleKeys> {
  const response = await fetch('/explore/sample-keys.json');
  if (response.status === 404) return NO_KEYS;
  if (!response.ok) throw new Error(`The sample keys could not be read: status ${response.status}.`);
  const { credentials, sample: isSample }: SampleKeysBody = await response.json();
  return { keys: Object.entries(credentials).map(([name, apiKey]) => ({ name, apiKey })), isSample };
}
