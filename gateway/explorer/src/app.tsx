import { Route, Router, Switch } from 'wouter';

/** The explorer: one screen an address below /explore. */
export function App() {
  return (
    <Router base="/explore">
      <Switch>
        <Route path="/">
          <h1>Explore</h1>
        </Route>
      </Switch>
    </Router>
  );
}
