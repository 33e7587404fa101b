import { AccountPage } from './account/AccountPage.tsx'
import { LiveAccountPage } from './account/LiveAccountPage.tsx'
import { BlockPage } from './pages/BlockPage.tsx'
import { BlocksPage } from './pages/BlocksPage.tsx'
import { FaucetPage } from './pages/FaucetPage.tsx'
import { HomePage } from './pages/HomePage.tsx'
import { LiveBlockPage } from './pages/LiveBlockPage.tsx'
import { LiveHomePage } from './pages/LiveHomePage.tsx'
import { LiveTransactionPage } from './pages/LiveTransactionPage.tsx'
import { NeedsIndex, UnknownPage } from './pages/plainPages.tsx'
import { SendPage } from './pages/SendPage.tsx'
import { TransactionPage } from './pages/TransactionPage.tsx'
import { UsagePage } from './pages/UsagePage.tsx'
import type { Route } from './route/Route.ts'
import { setup } from './setup.ts'
import { TracePage } from './trace/TracePage.tsx'

/** The page of a route. Without an index each has a plainer form, or says that it needs one. */
export const PageOf = ({ route }: { readonly route: Route }) => {
  const { hasIndex, hasControls } = setup
  switch (route.page) {
    case 'home':
      return hasIndex ? <HomePage /> : <LiveHomePage />
    case 'account':
      return hasIndex ? <AccountPage address={route.address} /> : <LiveAccountPage address={route.address} />
    case 'transaction':
      return hasIndex ? <TransactionPage hash={route.hash} /> : <LiveTransactionPage route={route} />
    case 'trace':
      return hasIndex ? <TracePage hash={route.hash} /> : <NeedsIndex what="Traces" />
    case 'block':
      return hasIndex ? <BlockPage id={route} /> : <LiveBlockPage id={route} />
    case 'blocks':
      return hasIndex ? <BlocksPage /> : <NeedsIndex what="The list of blocks" />
    case 'faucet':
      return hasControls ? <FaucetPage to={route.to} /> : <UnknownPage path="/faucet" />
    case 'send':
      return <SendPage />
    case 'usage':
      return <UsagePage />
    case 'unknown':
      return <UnknownPage path={route.path} />
  }
}
