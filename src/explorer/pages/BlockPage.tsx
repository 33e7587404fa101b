import { useState } from 'preact/hooks'
import { callV2, callV3 } from '../fetch/requests.ts'
import type { Block } from '../live/useBlockFeed.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { blockEvents, isNews, useStream } from '../live/useStream.ts'
import { findRawAddress, hashToHex } from '../model/addresses.ts'
import { groupDigits } from '../model/format.ts'
import { signedShard } from '../model/parseSearch.ts'
import { Badge, Card, CopyButton, Empty, Facts, Failure, Icon, Loading, LoadMore } from '../parts/basics.tsx'
import { AddressLink, BlockLink, type BlockName, Hash, When } from '../parts/links.tsx'
import { TransactionRows } from '../parts/TransactionRows.tsx'
import { Link } from '../route/Link.tsx'
import { BlockRows } from './BlocksPage.tsx'

const BlockHead = ({ id: { workchain, shard, seqno } }: { readonly id: BlockName }) => {
  const name = `(${workchain},${shard},${seqno})`
  const page = 'block' as const
  return (
    <header class="page-head">
      <h1>
        {workchain === -1 ? 'Masterchain block' : 'Shard block'} {groupDigits(seqno)}
      </h1>
      <p class="page-id">
        <span class="with-copy">
          <span class="mono whole">{name}</span>
          <CopyButton text={name} what="block" />
        </span>
      </p>
      <span class="page-steps">
        {seqno > 1 && (
          <Link to={{ page, workchain, shard, seqno: seqno - 1 }} class="button" label="Previous block">
            <Icon name="back" />
          </Link>
        )}
        <Link to={{ page, workchain, shard, seqno: seqno + 1 }} class="button" label="Next block">
          <Icon name="arrow" />
        </Link>
      </span>
    </header>
  )
}

const PAGE = 50

export const BlockPage = ({ id }: { readonly id: BlockName }) => {
  const { workchain, shard, seqno } = id
  const key = `${workchain} ${shard} ${seqno}`
  const [isAbsent, setAbsent] = useState(false)
  const stream = useStream(isAbsent ? blockEvents : undefined)
  const { value, error } = useRequest(
    `block ${key}`,
    async (signal) => {
      const { blocks } = (await callV3('blocks', { workchain, shard, seqno, limit: 1 }, signal)).result
      setAbsent(blocks.length === 0)
      return blocks
    },
    { pollMs: SECOND, isDone: (found) => found.length > 0, stream, onEvent: isNews },
  )
  const block = value?.[0]
  return (
    <>
      <BlockHead id={id} />
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.length === 0 && (
        <Card>
          <Empty icon="block">This block is not in the index yet. Retrying.</Empty>
        </Card>
      )}
      {block !== undefined && <BlockFacts block={block} />}
      {block !== undefined && workchain === -1 && <IncludedBlocks seqno={seqno} />}
      {block !== undefined && <Transactions id={id} />}
    </>
  )
}

const BlockFacts = ({ block }: { readonly block: Block }) => {
  const signs = [
    block.key_block && 'key block',
    block.after_split && 'after a split',
    block.after_merge && 'after a merge',
    block.before_split && 'before a split',
    block.want_split && 'wants to split',
    block.want_merge && 'wants to merge',
  ].filter((sign) => sign !== false)
  return (
    <Card>
      <div class="facts-pair">
        <Facts
          facts={[
            ['Made', <When utime={Number(block.gen_utime)} />],
            ['Transactions', groupDigits(block.tx_count)],
            [
              'Logical time',
              <span class="mono">{`${groupDigits(block.start_lt)} – ${groupDigits(block.end_lt)}`}</span>,
            ],
            block.workchain !== -1 && ['Included by', <BlockLink id={block.masterchain_block_ref} />],
            [
              'Follows',
              block.prev_blocks.map((previous) => <BlockLink key={previous.shard + previous.seqno} id={previous} />),
            ],
            signs.length > 0 && ['Signs', signs.map((sign) => <Badge key={sign}>{sign}</Badge>)],
          ]}
        />
        <Facts
          facts={[
            ['Root hash', <Hash hash={block.root_hash} what="root hash" />],
            ['File hash', <Hash hash={block.file_hash} what="file hash" />],
            ['Random seed', <Hash hash={block.rand_seed} what="random seed" />],
            ['Made by', <Hash hash={block.created_by} what="key of its maker" />],
            [
              'Last key block',
              <BlockLink id={{ workchain: -1, shard: '8000000000000000', seqno: block.prev_key_block_seqno }} />,
            ],
            ['Network', String(block.global_id)],
          ]}
        />
      </div>
    </Card>
  )
}

const IncludedBlocks = ({ seqno }: { readonly seqno: number }) => {
  const { value } = useRequest(`shards ${seqno}`, async (signal) => {
    const { result } = await callV3('masterchainBlockShards', { seqno, limit: 100 }, signal)
    return result.blocks.filter(({ workchain }) => workchain !== -1)
  })
  if (value === undefined || value.length === 0) return null
  return (
    <Card title="Shard blocks" aside={<span class="muted">{value.length}</span>}>
      <BlockRows blocks={value} />
    </Card>
  )
}

const Transactions = ({ id: { workchain, shard, seqno } }: { readonly id: BlockName }) => {
  const pages = usePages(
    `transactions of ${workchain} ${shard} ${seqno}`,
    async (cursor, signal) => {
      const args = { workchain, shard, seqno, limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('transactions', args, signal)
      return { rows: result.transactions, cursor: next }
    },
    { idOf: ({ hash }) => hash },
  )
  return (
    <Card title="Transactions">
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading />}
      {pages.rows?.length === 0 && <Empty icon="transaction">No transactions in this block.</Empty>}
      {pages.rows !== undefined && pages.rows.length > 0 && <TransactionRows transactions={pages.rows} />}
      <LoadMore pages={pages} />
    </Card>
  )
}

const MAX = 100

/** Live block page (without an index). */
export const LiveBlockPage = ({ id }: { readonly id: BlockName }) => {
  const { workchain, shard, seqno } = id
  const { value, error } = useRequest(`live block ${workchain} ${shard} ${seqno}`, async (signal) => {
    const asked = { workchain, shard: signedShard(shard), seqno }
    const [header, list] = await Promise.all([
      callV2('getBlockHeader', asked, signal),
      callV2('getBlockTransactions', { ...asked, count: MAX }, signal),
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
                ['Made', <When utime={value.header.gen_utime} />],
                ['Root hash', <Hash hash={value.header.id.root_hash} what="root hash" />],
                ['File hash', <Hash hash={value.header.id.file_hash} what="file hash" />],
                ['Logical time', <span class="mono">{groupDigits(value.header.start_lt)}</span>],
              ]}
            />
          </Card>
          <Card title="Transactions">
            {value.list.transactions.length === 0 && <Empty icon="transaction">No transactions in this block.</Empty>}
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
