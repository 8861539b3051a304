import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { fetchNoting } from './allowance.ts';
import { type AccountKind, accountKindOf, forgetApiKey, keepApiKey, readApiKey } from './api-key.ts';
import { CesClient } from './client.ts';
import { askForKey, createName, forgetInFamily, giveKey, type HandedKey } from './hand-over.ts';
import { useLinkOffers } from './use-link-offers.ts';

export interface Session {
  readonly ces: CesClient;
  readonly accountKind: AccountKind;
}

interface SessionContext {
  readonly session: Session | undefined;
  /** True while tabs are asked that may have opened this one. */
  readonly isAsking: boolean;
  readonly begin: (apiKey: string) => void;
  readonly forget: () => void;
}

const Context = createContext<SessionContext | undefined>(undefined);
/** Tabs of one browser answer within milliseconds. */
const ASK_MS = 300;

export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [key, setKey] = useState(readApiKey);
  const [isAsking, setIsAsking] = useState(key === undefined);
  const offers = useLinkOffers();
  useEffect(() => {
    if (!isAsking) return;
    void askForKey(location.pathname + location.search, ASK_MS).then((handed) => {
      if (handed) keepApiKey(handed);
      if (handed) setKey(handed);
      setIsAsking(false);
    });
  }, [isAsking]);
  const value = useMemo((): SessionContext & { readonly drop: () => void } => {
    function change(next: HandedKey | undefined): void {
      forgetApiKey();
      queryClient.clear();
      if (next) keepApiKey(next);
      setKey(next);
    }
    return {
      session: key && openSession(key.apiKey, queryClient),
      isAsking,
      begin: (apiKey) => change({ apiKey, family: createName() }),
      forget: () => {
        change(undefined);
        if (key) forgetInFamily(key.family);
      },
      drop: () => change(undefined),
    };
  }, [key, isAsking, queryClient]);
  const { drop } = value;
  useEffect(() => {
    if (!key) return;
    const giving = giveKey(key, offers, drop);
    return () => giving[Symbol.dispose]();
  }, [key, offers, drop]);
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

export function useSession(): Session {
  const { session } = useSessionContext();
  if (!session) throw new Error('A screen is outside the key gate.');
  return session;
}
