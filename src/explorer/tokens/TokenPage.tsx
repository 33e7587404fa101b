import type { EntityPage } from '../route/Route.ts'
import { CollectionPage } from './CollectionPage.tsx'
import { DomainPage } from './DomainPage.tsx'
import { JettonPage } from './JettonPage.tsx'
import { MultisigPage } from './MultisigPage.tsx'
import { NftPage } from './NftPage.tsx'
import { ForAddress } from './parts.tsx'
import { TokensPage } from './TokensPage.tsx'
import { VestingPage } from './VestingPage.tsx'

type TokenRoute = { readonly page: EntityPage; readonly key: string } | { readonly page: 'tokens' }

/** Pages of tokens and other known contracts. They are loaded when the first of them is opened. */
export const TokenPage = ({ route }: { readonly route: TokenRoute }) => {
  if (route.page === 'tokens') return <TokensPage />
  if (route.page === 'dns') return <DomainPage key={route.key} domain={route.key} />
  const { page } = route
  return <ForAddress text={route.key}>{(raw) => <EntityOf key={raw} page={page} raw={raw} />}</ForAddress>
}

const EntityOf = ({ page, raw }: { readonly page: Exclude<EntityPage, 'dns'>; readonly raw: string }) => {
  switch (page) {
    case 'jetton':
      return <JettonPage raw={raw} />
    case 'nft':
      return <NftPage raw={raw} />
    case 'collection':
      return <CollectionPage raw={raw} />
    case 'multisig':
      return <MultisigPage raw={raw} />
    case 'vesting':
      return <VestingPage raw={raw} />
  }
}
