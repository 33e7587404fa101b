import { useEffect, useState } from 'preact/hooks'
import { Header } from './Header.tsx'
import { KeysDialog } from './KeysDialog.tsx'
import { PageOf } from './PageOf.tsx'
import { Notice } from './parts/states.tsx'
import { Link } from './route/Link.tsx'
import { useRoute } from './route/useRoute.ts'
import { setup } from './setup.ts'
import { useKeys } from './useKeys.ts'

export const App = () => {
  const route = useRoute()
  const [areKeysShown, showKeys] = useState(false)
  useKeys(() => showKeys((are) => !are))
  useEffect(() => {
    document.title = route.page === 'home' ? 'chaincenter' : `${route.page} · chaincenter`
  }, [route])
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header route={route} onKeys={() => showKeys(true)} />
      <main id="main" class="main">
        {!setup.hasIndex && (
          <Notice>
            This server keeps no index: only what is live is shown. Traces, tokens, names and the search by hash need
            one; start it without <code>--no-index</code> to have them.
          </Notice>
        )}
        <PageOf route={route} />
      </main>
      <footer class="footer">
        <span>chaincenter {setup.version}</span>
        <span>All that this page shows comes from this server.</span>
        <a href="/api/v2/openapi.json">v2</a>
        {setup.hasIndex && <a href="/api/v3/openapi.json">v3</a>}
        <Link to={{ page: 'usage' }}>Use of keys</Link>
      </footer>
      {areKeysShown && <KeysDialog onClose={() => showKeys(false)} />}
    </>
  )
}
