import { callV2 } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { Failure, Loading } from '../parts/basics.tsx'
import { Link } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { ConfigPage } from './ConfigPage.tsx'
import { ShardsPage } from './ShardsPage.tsx'
import { ValidatorsPage } from './ValidatorsPage.tsx'

type NetworkPageName = 'validators' | 'config' | 'shards'

const pages = [
  { page: 'validators', title: 'Validators', isShown: true },
  { page: 'config', title: 'Configuration', isShown: true },
  { page: 'shards', title: 'Shards', isShown: setup.hasIndex },
] as const

/** Pages about the network as a whole. */
export const NetworkPage = ({ page }: { readonly page: NetworkPageName }) => (
  <>
    <div class="page-head">
      <h1>{pages.find((each) => each.page === page)!.title}</h1>
      <nav class="subnav" aria-label="Network">
        {pages
          .filter(({ isShown }) => isShown)
          .map((each) => (
            <Link key={each.page} to={{ page: each.page }} isCurrent={each.page === page}>
              {each.title}
            </Link>
          ))}
      </nav>
    </div>
    {page === 'shards' ? <ShardsPage /> : <Configured page={page} />}
  </>
)

const Configured = ({ page }: { readonly page: 'validators' | 'config' }) => {
  const { value, error } = useRequest(
    'network configuration',
    async (signal) => (await callV2('getConfigParams', {}, signal)).params,
    { pollMs: 15 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  return page === 'config' ? <ConfigPage params={value} /> : <ValidatorsPage params={value} />
}
