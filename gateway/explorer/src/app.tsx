import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, Route, Router, Switch } from 'wouter';
import { ErrorBoundary } from './errors/error-boundary.tsx';
import { Frame } from './frame/frame.tsx';
import { KeyGate } from './frame/key-gate.tsx';
import { NavigationProvider } from './frame/navigation.tsx';
import { Page } from './frame/page.tsx';
import { ScreenSkeleton } from './frame/screen-skeleton.tsx';
import { SessionProvider } from './session/session.tsx';

const SearchScreen = lazy(() => import('./search/search-screen.tsx'));
const LookUpScreen = lazy(() => import('./look-up/look-up-screen.tsx'));
const CompanyScreen = lazy(() => import('./companies/company-screen.tsx'));
const SavedScreen = lazy(() => import('./saved/saved-screen.tsx'));
const ObservationScreen = lazy(() => import('./observation/observation-screen.tsx'));
const OperationsScreen = lazy(() => import('./operations/operations-screen.tsx'));
const OperationScreen = lazy(() => import('./operations/operation-screen.tsx'));
const UsageScreen = lazy(() => import('./usage/usage-screen.tsx'));

/** Each screen has its own chunk, which loads when the screen is first shown. */
export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Router base="/explore">
          <NavigationProvider>
            <Frame>
              <Screens />
            </Frame>
          </NavigationProvider>
        </Router>
      </SessionProvider>
    </QueryClientProvider>
  );
}

function Screens() {
  return (
    <ErrorBoundary>
      <KeyGate>
        <Suspense fallback={<ScreenSkeleton />}>
          <Switch>
            <Route path="/" component={SearchScreen} />
            <Route path="/look-up" component={LookUpScreen} />
            <Route path="/companies/:id">{({ id }) => <CompanyScreen key={id} id={id} />}</Route>
            <Route path="/saved" component={SavedScreen} />
            <Route path="/observations/:id">{({ id }) => <ObservationScreen id={id} />}</Route>
            <Route path="/operations" component={OperationsScreen} />
            <Route path="/operations/:id">{({ id }) => <OperationScreen id={id} />}</Route>
            <Route path="/usage" component={UsageScreen} />
            <Route component={NotFoundScreen} />
          </Switch>
        </Suspense>
      </KeyGate>
    </ErrorBoundary>
  );
}

function NotFoundScreen() {
  return (
    <Page title="Page not found" lead="The explorer has no page at this address.">
      <p>
        <Link href="/">Search for companies</Link>, or <Link href="/look-up">look up companies</Link> that you know.
      </p>
    </Page>
  );
}

/** A search is a paid call, so nothing refetches or retries by itself. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnMount: false,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
