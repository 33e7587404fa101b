import { askV2 } from '../fetch/askV2.ts'
import { useAsk } from '../live/useAsk.ts'
import { findRawAddress } from '../model/Address.ts'
import { groupDigits } from '../model/amounts.ts'
import { hashToHex } from '../model/Hash.ts'
import { signedShard } from '../model/parseSearch.ts'
import { formatTime } from '../model/times.ts'
import { AddressLink } from '../parts/AddressLink.tsx'
import { Card } from '../parts/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { BlockHead } from './BlockHead.tsx'
import type { BlockName } from './BlockLink.tsx'

const MAX = 100

/** A block as a node has it, where there is no index. */
export const LiveBlockPage = ({ id }: { readonly id: BlockName }) => {
  const { workchain, shard, seqno } = id
  const { value, error } = useAsk(`live block ${workchain} ${shard} ${seqno}`, async (signal) => {
    const asked = { workchain, shard: signedShard(shard), seqno }
    const [header, list] = await Promise.all([
      askV2('getBlockHeader', asked, signal),
      askV2('getBlockTransactions', { ...asked, count: MAX }, signal),
    ])
    return { header, list }
  })
  return (
    <>
      <BlockHead id={id} />
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <>
          <Card>
            <Facts
              facts={[
                ['Made', formatTime(value.header.gen_utime)],
                ['Root hash', <Hash hash={value.header.id.root_hash} what="root hash" />],
                ['File hash', <Hash hash={value.header.id.file_hash} what="file hash" />],
                ['Logical time', <span class="mono">{groupDigits(value.header.start_lt)}</span>],
              ]}
            />
          </Card>
          <Card title="Transactions">
            {value.list.transactions.length === 0 && <Empty icon="transaction">Nothing happened in this block.</Empty>}
            <ul class="list">
              {value.list.transactions.map(({ account, hash, lt }) => (
                <li key={hash}>
                  <AddressLink raw={findRawAddress(account) ?? account} />
                  <Hash
                    hash={hash}
                    what="hash"
                    to={{ page: 'transaction', hash: hashToHex(hash), account, lt: String(lt) }}
                  />
                </li>
              ))}
            </ul>
            {value.list.incomplete && <p class="card-text muted">There are more; the first {MAX} are shown.</p>}
          </Card>
        </>
      )}
    </>
  )
}
