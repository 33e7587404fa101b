import { callV3 } from '../../fetch/requests.ts'
import { useRequest } from '../../live/usePolling.ts'
import { Amount } from '../../parts/Amount.tsx'
import { Card, Failure, Loading } from '../../parts/basics.tsx'
import { AddressLink } from '../../parts/links.tsx'

const SHOWN = 20

/** Some other accounts with the same code. */
export const SameCode = ({ raw, codeHash }: { readonly raw: string; readonly codeHash: string }) => {
  const { value, error } = useRequest(
    `same code as ${raw} ${codeHash}`,
    async (signal) => (await callV3('accountsByCode', { code_hash: codeHash, limit: SHOWN + 1 }, signal)).result,
  )
  const others = value?.accounts.filter(({ account }) => account !== raw).slice(0, SHOWN)
  const hasMore = value?.has_more === true
  const count =
    others === undefined ? '' : `${hasMore ? 'more than ' : ''}${others.length} other${others.length === 1 ? '' : 's'}`
  return (
    <Card title="Same code" aside={<span class="muted">{count}</span>}>
      {error !== undefined && <Failure error={error} />}
      {others === undefined && error === undefined && <Loading />}
      {others?.length === 0 && <p class="card-text muted">No other account has this code.</p>}
      <ul class="list same-code">
        {others?.map(({ account, balance }) => (
          <li key={account}>
            <AddressLink raw={account} hasKind />
            <Amount value={balance} maxFraction={4} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
