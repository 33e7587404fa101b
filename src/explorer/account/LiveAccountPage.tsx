import { useState } from 'preact/hooks'
import { callV2, type V2Result } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { findRawAddress, hashToHex } from '../model/addresses.ts'
import { Amount } from '../parts/Amount.tsx'
import { Card, Empty, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink, Hash, TimeAgo } from '../parts/links.tsx'
import { AccountHead } from './AccountHead.tsx'

/** Live account page (without an index): balance and transactions. */
export const LiveAccountPage = ({ address }: { readonly address: string }) => {
  const raw = findRawAddress(address)
  const { value, error } = useRequest(
    `live account ${raw}`,
    async (signal) => (raw === undefined ? undefined : await callV2('getAddressInformation', { address: raw }, signal)),
    { pollMs: 2 * SECOND },
  )
  if (raw === undefined) return <Failure error={new Error(`${address} is not a valid address.`)} />
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  return (
    <>
      <AccountHead raw={raw} balance={String(value.balance)} status={value.state} interfaces={[]} />
      <LiveHistory raw={raw} newest={value.last_transaction_id.hash} />
    </>
  )
}

const PAGE = 20
type Row = V2Result<'getTransactions'>[number]

const LiveHistory = ({ raw, newest }: { readonly raw: string; readonly newest: string }) => {
  const [limit, setLimit] = useState(PAGE)
  const { value, error } = useRequest(`live history ${raw} ${newest} ${limit}`, (signal) =>
    callV2('getTransactions', { address: raw, limit }, signal),
  )
  return (
    <Card title="Transactions">
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading lines={6} />}
      {value?.length === 0 && <Empty icon="transaction">No transactions yet.</Empty>}
      <ul class="actions">
        {value?.map((row) => (
          <LiveRow key={row.transaction_id.hash} raw={raw} row={row} />
        ))}
      </ul>
      {value !== undefined && value.length === limit && limit < 100 && (
        <div class="load-more">
          <button type="button" class="button" onClick={() => setLimit(limit + PAGE)}>
            Older
          </button>
        </div>
      )}
    </Card>
  )
}

const LiveRow = ({ raw, row }: { readonly raw: string; readonly row: Row }) => {
  const { hash, lt } = row.transaction_id
  const source = findRawAddress(String(row.in_msg?.source ?? ''))
  const sent = row.out_msgs.reduce((sum, { value }) => sum + BigInt(value), 0n)
  const received = BigInt(row.in_msg?.value ?? 0)
  const target = findRawAddress(String(row.out_msgs[0]?.destination ?? ''))
  return (
    <li class="action">
      <span class="action-title">
        <Hash
          hash={hash}
          what="hash"
          to={{ page: 'transaction', hash: hashToHex(hash), account: raw, lt: String(lt) }}
          hasCopy={false}
        />
      </span>
      <span class="action-parties">
        {source === undefined ? <span class="muted">outside</span> : <AddressLink raw={source} self={raw} />}
        <span class="arrow">→</span>
        {target === undefined ? <span class="muted">this account</span> : <AddressLink raw={target} self={raw} />}
      </span>
      <span class="action-amounts">
        {received > 0n && <Amount value={received} sign="+" />}
        {sent > 0n && <Amount value={sent} sign="−" />}
      </span>
      <span class="action-time">
        <TimeAgo utime={row.utime} />
      </span>
    </li>
  )
}
