import { askV3 } from '../fetch/askV3.ts'
import { useJetton } from '../live/jettons.ts'
import { usePages } from '../live/usePages.ts'
import { friendlyOf } from '../model/addressBook.ts'
import { AddressLink } from '../parts/AddressLink.tsx'
import { JettonAmount } from '../parts/Amount.tsx'
import { Card } from '../parts/Card.tsx'
import { LoadMore } from '../parts/LoadMore.tsx'
import { Monogram } from '../parts/Monogram.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { Link } from '../route/Link.tsx'

const PAGE = 50

export const JettonHoldings = ({ owner }: { readonly owner: string }) => {
  const pages = usePages(
    `jettons of ${owner}`,
    async (cursor, signal) => {
      const args = { owner_address: [owner], limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await askV3('jetton/wallets', args, signal)
      return { rows: result.jetton_wallets, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading />}
      {pages.rows?.length === 0 && <Empty icon="drop">This account holds no jettons.</Empty>}
      <ul class="list is-roomy">
        {pages.rows?.map((wallet) => (
          <li key={wallet.address}>
            <Holding {...wallet} />
          </li>
        ))}
      </ul>
      <LoadMore pages={pages} />
    </Card>
  )
}

type HoldingProps = { readonly jetton: string; readonly balance: string; readonly address: string }

const Holding = ({ jetton, balance, address }: HoldingProps) => {
  const known = useJetton(jetton)
  return (
    <>
      <span class="holding">
        <Monogram raw={jetton} text={known?.symbol ?? known?.name ?? '?'} />
        <span>
          <Link to={{ page: 'account', address: friendlyOf(jetton) }}>{known?.name ?? 'Jetton without a name'}</Link>
          <span class="holding-detail">
            in <AddressLink raw={address} />
          </span>
        </span>
      </span>
      <JettonAmount value={balance} jetton={jetton} />
    </>
  )
}
