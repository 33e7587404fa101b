import { Icon } from './parts/Icon.tsx'
import { Link } from './route/Link.tsx'
import type { Route } from './route/Route.ts'
import { SearchBox } from './search/SearchBox.tsx'
import { setup } from './setup.ts'
import { ThemeSwitch } from './theme/ThemeSwitch.tsx'

const places = [
  { page: 'blocks', title: 'Blocks', isShown: setup.hasIndex },
  { page: 'faucet', title: 'Faucet', isShown: setup.hasControls },
  { page: 'send', title: 'Send', isShown: true },
] as const

export const Header = ({ route, onKeys }: { readonly route: Route; onKeys(): void }) => (
  <header class="header">
    <div class="header-row">
      <Link to={{ page: 'home' }} class="brand" label="chaincenter, to the first page">
        <span class="brand-mark" />
        <span class="brand-name">chaincenter</span>
        <span class="network">{setup.network}</span>
      </Link>
      <SearchBox />
      <nav class="nav" aria-label="Pages">
        {places
          .filter(({ isShown }) => isShown)
          .map(({ page, title }) => (
            <Link key={page} to={{ page }} isCurrent={route.page === page}>
              {title}
            </Link>
          ))}
        <a href="/docs">API</a>
      </nav>
      <div class="header-tools">
        <ThemeSwitch />
        <button type="button" class="icon-button keys-button" aria-label="Keys" title="Keys (?)" onClick={onKeys}>
          <Icon name="keys" />
        </button>
      </div>
    </div>
  </header>
)
