import { useState } from 'preact/hooks'
import { askV3 } from '../fetch/askV3.ts'
import { usePages } from '../live/usePages.ts'
import { SECOND } from '../live/usePolling.ts'
import { Card } from '../parts/Card.tsx'
import { LoadMore } from '../parts/LoadMore.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { BlockRows } from './BlockRows.tsx'
import { ShardMap } from './ShardMap.tsx'

const PAGE = 30

type Chain = 'all' | 'master' | 'base'

const workchains = { all: {}, master: { workchain: -1 }, base: { workchain: 0 } } as const

export const BlocksPage = () => {
  const [chain, setChain] = useState<Chain>('all')
  const pages = usePages(
    `blocks of ${chain}`,
    async (cursor, signal) => {
      const args = { ...workchains[chain], limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await askV3('blocks', args, signal)
      return { rows: result.blocks, cursor: next }
    },
    { idOf: ({ workchain, shard, seqno }) => `${workchain} ${shard} ${seqno}`, pollMs: SECOND },
  )
  return (
    <>
      <header class="page-head">
        <h1>Blocks</h1>
      </header>
      <ShardMap />
      <Tabs
        label="Chain"
        current={chain}
        onChange={(key) => setChain(key)}
        tabs={[
          { key: 'all', title: 'All' },
          { key: 'master', title: 'Masterchain' },
          { key: 'base', title: 'Basechain' },
        ]}
      />
      <Card>
        {pages.error !== undefined && <Failure error={pages.error} />}
        {pages.rows === undefined && pages.error === undefined && <Loading lines={10} />}
        {pages.rows?.length === 0 && <Empty icon="block">There are no blocks yet.</Empty>}
        {pages.rows !== undefined && pages.rows.length > 0 && <BlockRows blocks={pages.rows} />}
        <LoadMore pages={pages} />
      </Card>
    </>
  )
}
