import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { fetchNoting } from './allowance.ts';
import { type AccountKind, accountKindOf, forgetApiKey, keepApiKey, readApiKey } from './api-key.ts';
import { CesClient } from './client.ts';

export interface Session {
  readonly ces: CesClient;
  readonly accountKind: AccountKind;
}

interface SessionContext {
  readonly session: Session | undefined;
  readonly begin: (apiKey: string) => void;
  readonly forget: () => void;
}

const Context = createContext<SessionContext | undefined>(undefined);

export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [apiKey, setApiKey] = useState(readApiKey);
  const value = useMemo((): SessionContext => {
    function change(next: string | undefined): void {
      forgetApiKey();
      queryClient.clear();
      if (next !== undefined) keepApiKey(next);
      setApiKey(next);
    }
    return {
      session: apiKey === undefined ? undefined : openSession(apiKey, queryClient),
      begin: change,
      forget: () => change(undefined),
    };
  }, [apiKey, queryClient]);
  return <Context value={value}>{children}</Context>;
}

/** Three attempts with the same key; then the user decides. */
export function openSession(apiKey: string, queryClient: QueryClient): Session {
  const ces = new CesClient({
    baseUrl: '',
    apiKey,
    fetch: fetchNoting(queryClient),
    maxAttempts: 3,
    maxWaitMs: 5_000,
  });
  return { ces, accountKind: accountKindOf(apiKey) };
}

export function useSessionContext(): SessionContext {
  const value = useContext(Context);
  if (!value) throw new Error('A screen is outside SessionProvider.');
  return value;
}

/** Throws outside KeyGate. */
export function useSession(): Session {
  const { session } = useSessionContext();
  if (!session) throw new Error('A screen is outside the key gate.');
  return session;
}
