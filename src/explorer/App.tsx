import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { AccountPage } from './account/AccountPage.tsx'
import { LiveAccountPage } from './account/LiveAccountPage.tsx'
import { BlockPage, LiveBlockPage } from './pages/BlockPage.tsx'
import { BlocksPage } from './pages/BlocksPage.tsx'
import { FaucetPage } from './pages/FaucetPage.tsx'
import { HomePage } from './pages/HomePage.tsx'
import { LiveHomePage } from './pages/LiveHomePage.tsx'
import { SendPage } from './pages/SendPage.tsx'
import { LiveTransactionPage, TransactionPage } from './pages/TransactionPage.tsx'
import { UsagePage } from './pages/UsagePage.tsx'
import { Card, Empty, Icon, lazy, Notice } from './parts/basics.tsx'
import { goTo, Link, useRoute } from './route/Link.tsx'
import { formatRoute, type Route } from './route/Route.ts'
import { findRawJson } from './route/rawJson.ts'
import { titleOf } from './route/titleOf.ts'
import { SearchBox } from './search/SearchBox.tsx'
import { setup } from './setup.ts'
import { ThemeSwitch } from './theme/ThemeSwitch.tsx'
import { TracePage } from './trace/TracePage.tsx'

const WebhooksPage = lazy(async () => (await import('./webhooks/WebhooksPage.tsx')).WebhooksPage)

const navigation = [
  { page: 'blocks', title: 'Blocks', isShown: setup.hasIndex },
  { page: 'tokens', title: 'Tokens', isShown: setup.hasIndex },
  { page: 'validators', title: 'Network', isShown: true },
  { page: 'faucet', title: 'Faucet', isShown: setup.hasControls },
  { page: 'send', title: 'Send', isShown: true },
  { page: 'webhooks', title: 'Webhooks', isShown: setup.hasWebhooks },
] as const

/** On a phone the navigation is folded behind a button. */
const Header = ({ route, onKeys }: { readonly route: Route; onKeys(): void }) => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [route])
  return (
    <header class="header">
      <div class="header-row">
        <Link to={{ page: 'home' }} class="brand" title="Home">
          <span class="brand-mark" />
          <span class="brand-name">chaincenter</span>
          <span class="network">{setup.network}</span>
        </Link>
        <SearchBox />
        <nav id="nav" class={`nav ${isOpen ? 'is-open' : ''}`} aria-label="Pages">
          {navigation
            .filter(({ isShown }) => isShown)
            .map(({ page, title }) => (
              <Link key={page} to={{ page }} isCurrent={route.page === page}>
                {title}
              </Link>
            ))}
          <a href={`${setup.base}/docs`}>API</a>
        </nav>
        <div class="header-tools">
          <ThemeSwitch />
          <button type="button" class="icon-button keys-button" aria-label="Keys" title="Keys (?)" onClick={onKeys}>
            <Icon name="keys" />
          </button>
          <button
            type="button"
            class="icon-button menu-button"
            aria-label="Menu"
            aria-expanded={isOpen}
            aria-controls="nav"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'cross' : 'menu'} />
          </button>
        </div>
      </div>
    </header>
  )
}

/** Routes of the keys after g. */
const shortcuts: { readonly [key: string]: Route } = {
  h: { page: 'home' },
  s: { page: 'send' },
  ...(setup.hasIndex && { b: { page: 'blocks' } }),
  ...(setup.hasControls && { f: { page: 'faucet' } }),
  ...(setup.hasWebhooks && { w: { page: 'webhooks' } }),
}

const keyHelp: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'search'],
  [['↑', '↓', '↵'], 'select a result'],
  [['←', '→', '↑', '↓'], 'navigate a trace'],
  ...(setup.hasDebugger ? ([[['j', 'k', 'o', 'u'], 'debugger: step, back, over, out']] as const) : []),
  [['g', 'h'], 'home'],
  ...(setup.hasIndex ? ([[['g', 'b'], 'blocks']] as const) : []),
  ...(setup.hasControls ? ([[['g', 'f'], 'faucet']] as const) : []),
  [['g', 's'], 'send a message'],
  ...(setup.hasWebhooks ? ([[['g', 'w'], 'webhooks']] as const) : []),
  [['t'], 'theme: light, dark or system'],
  [['?'], 'keyboard shortcuts'],
  [['Esc'], 'close'],
]

/** Handles keyboard shortcuts wherever the reader is not typing into a field. */
const useKeys = (toggleHelp: () => void): void => {
  const isAfterG = useRef(false)
  const toggle = useRef(toggleHelp)
  toggle.current = toggleHelp
  // A layout effect runs before the first paint, so no key is lost between paint and effect; the listener stays for the life of the page.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.matches('input, textarea, select, [contenteditable]')) return
      const route = isAfterG.current ? shortcuts[event.key] : undefined
      isAfterG.current = event.key === 'g'
      if (route !== undefined) goTo(route)
      else if (event.key === '/') document.getElementById('search')?.focus()
      else if (event.key === '?') toggle.current()
      else if (event.key === 't') document.querySelector<HTMLButtonElement>('[data-theme-switch]')?.click()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const KeysDialog = ({ onClose }: { onClose(): void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="dialog" ref={dialog} aria-label="Keys" onClose={onClose}>
      <header class="card-head">
        <h2>Keys</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <dl class="keys">
        {keyHelp.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}

const UnknownPage = ({ path }: { readonly path: string }) => (
  <div class="lost">
    <p class="lost-number" aria-hidden="true">
      404
    </p>
    <h1>Page not found</h1>
    <p>
      There is nothing at <code class="whole">{path}</code>. Search above for an address, a hash, a block or a name.
    </p>
    <p class="lost-links">
      <Link to={{ page: 'home' }} class="button is-main">
        Home
      </Link>
      {setup.hasIndex && (
        <Link to={{ page: 'blocks' }} class="button">
          Blocks
        </Link>
      )}
      <a href={`${setup.base}/docs`} class="button">
        API reference
      </a>
    </p>
  </div>
)

const NeedsIndex = ({ what }: { readonly what: string }) => (
  <Card>
    <Empty icon="tree">{what} needs a server with an index.</Empty>
  </Card>
)

const NetworkPage = lazy(async () => (await import('./network/NetworkPage.tsx')).NetworkPage)
const TokenPage = lazy(async () => (await import('./tokens/TokenPage.tsx')).TokenPage)

/** The page of a route. Without an index, a page has a simpler form, or says that it needs one. */
const PageOf = ({ route }: { readonly route: Route }) => {
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
    case 'jetton':
    case 'nft':
    case 'collection':
    case 'dns':
    case 'multisig':
    case 'vesting':
    case 'tokens':
      return hasIndex ? <TokenPage route={route} /> : <NeedsIndex what="This page" />
    case 'webhooks':
      return setup.hasWebhooks ? <WebhooksPage id={route.id} /> : <UnknownPage path={formatRoute(route)} />
    case 'validators':
    case 'config':
      return <NetworkPage page={route.page} />
    case 'shards':
      return hasIndex ? <NetworkPage page="shards" /> : <NeedsIndex what="The map of shards" />
    case 'unknown':
      return <UnknownPage path={route.path} />
  }
}

export const App = () => {
  const route = useRoute()
  const rawJson = findRawJson(route, new URLSearchParams(location.search))
  const [areKeysShown, showKeys] = useState(false)
  useKeys(() => showKeys((are) => !are))
  useEffect(() => {
    document.title = titleOf(route)
  }, [route])
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header route={route} onKeys={() => showKeys(true)} />
      <main id="main" class="main">
        {!setup.hasIndex && (
          <Notice>
            This server has no index and shows live data only. Traces, tokens, domains and search by hash need an index:
            start the server without <code>--no-index</code>.
          </Notice>
        )}
        <PageOf route={route} />
      </main>
      <footer class="footer">
        <span>chaincenter {setup.version}</span>
        <span>All data comes from this server.</span>
        <a href={`${setup.base}/api/v2/openapi.json`}>v2</a>
        {setup.hasIndex && <a href={`${setup.base}/api/v3/openapi.json`}>v3</a>}
        <Link to={{ page: 'usage' }}>API key usage</Link>
        {rawJson !== undefined && <a href={rawJson}>Raw JSON of this page</a>}
      </footer>
      {areKeysShown && <KeysDialog onClose={() => showKeys(false)} />}
    </>
  )
}
