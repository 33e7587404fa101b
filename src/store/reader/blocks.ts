import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type BlockId, masterchain } from '../../primitives/BlockId.ts'
import { fromSignedShard, toSignedShard } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { decodeHeaderBits, type HeaderBits, previousShards } from '../schema/codes.ts'
import { queryBuilder, type Tables } from '../schema/tables.ts'
import { cutTo, orderBy, whereAll } from './indexScan.ts'
import { afterCursor, cutPage, type Order, type Page, type Paged } from './page.ts'
import { type Condition, MAX_SHORT_PAGE, pagesByLength, rawQuery } from './sql.ts'
import { findWorkchains } from './transactionFilter.ts'

/** A block header. */
export type Block = BlockId &
  HeaderBits & {
    /** The masterchain block that first included it. */
    readonly mcSeqno: number
    readonly rootHash: Uint8Array
    readonly fileHash: Uint8Array
    readonly globalId: number
    readonly version: number
    readonly flags: number
    readonly genUtime: number
    readonly startLt: bigint
    readonly endLt: bigint
    readonly txCount: number
    /** Signed. */
    readonly validatorListHashShort: number
    readonly genCatchainSeqno: number
    readonly minRefMcSeqno: number
    readonly prevKeyBlockSeqno: number
    readonly vertSeqno: number
    readonly masterRefSeqno: number
    readonly randSeed: Uint8Array
    readonly createdBy: Uint8Array
    readonly previous: readonly BlockId[]
  }

const toBlock = (row: Tables['blocks']): Block => {
  const { workchain } = row
  const shard = fromSignedShard(row.shard)
  const bits = decodeHeaderBits(row.header_bits)
  const shards = previousShards(shard, bits)
  return {
    workchain,
    shard,
    seqno: row.seqno >>> 0,
    afterMerge: bits.afterMerge,
    beforeSplit: bits.beforeSplit,
    afterSplit: bits.afterSplit,
    wantMerge: bits.wantMerge,
    wantSplit: bits.wantSplit,
    keyBlock: bits.keyBlock,
    vertSeqnoIncr: bits.vertSeqnoIncr,
    mcSeqno: row.mc_seqno,
    rootHash: row.root_hash,
    fileHash: row.file_hash,
    globalId: row.global_id,
    version: row.version >>> 0,
    flags: row.flags,
    genUtime: row.gen_utime >>> 0,
    startLt: BigInt.asUintN(64, row.start_lt),
    endLt: BigInt.asUintN(64, row.end_lt),
    txCount: row.tx_count,
    validatorListHashShort: row.validator_list_hash_short,
    genCatchainSeqno: row.gen_catchain_seqno >>> 0,
    minRefMcSeqno: row.min_ref_mc_seqno >>> 0,
    prevKeyBlockSeqno: row.prev_key_block_seqno >>> 0,
    vertSeqno: row.vert_seqno >>> 0,
    masterRefSeqno: row.master_ref_seqno >>> 0,
    randSeed: row.rand_seed,
    createdBy: row.created_by,
    previous: row.prev_seqnos.map((seqno, k) => ({ workchain, shard: shards[k] ?? shard, seqno: seqno >>> 0 })),
  }
}

export type BlockFilter = {
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly rootHash?: Uint8Array | undefined
  readonly fileHash?: Uint8Array | undefined
  /** The masterchain block that first included them. */
  readonly mcSeqno?: number | undefined
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
  /** Bounds of the logical time at which a block begins. */
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

const orders: Record<BlockFilter['direction'], Order> = { asc: byTime('asc'), desc: byTime('desc') }

function byTime(direction: 'asc' | 'desc'): Order {
  return {
    name: `blocks ${direction}`,
    columns: [
      { column: 'gen_utime', direction },
      { column: 'workchain', direction: 'asc' },
      { column: 'shard', direction: 'asc' },
      { column: 'seqno', direction: 'asc' },
    ],
  }
}

const MAX_INT4 = 0x7fff_ffff
const MAX_INT8 = (1n << 63n) - 1n

/**
 * Blocks of different shards are not generated in the order of their logical times, but never further from it than this. In
 * seconds.
 */
const DISORDER = 600

/** Times of the blocks of a page, both ends included. */
export type BlockTimes = { readonly from: number; readonly to: number }

const clampLt = (lt: bigint): bigint => (lt > MAX_INT8 ? MAX_INT8 : lt)

/** Times implied by the logical times, to bound the scan by time; nulls if there is no block. */
export const blockTimesQuery = (startLt: bigint, endLt: bigint) => {
  const nearest = (sign: '>=' | '<=', direction: 'asc' | 'desc', lt: bigint) =>
    sql`(select gen_utime from blocks where start_lt ${sql.raw(sign)} ${sql.val(clampLt(lt))} order by start_lt ${sql.raw(direction)} limit 1)`
  return sql<{ from: number | null; to: number | null }>`select ${nearest('>=', 'asc', startLt)} as "from",
    ${nearest('<=', 'desc', endLt)} as "to"`
}

const findTimes = async (reader: Reader, filter: BlockFilter, { after }: Page): Promise<BlockTimes> => {
  const { startUtime = 0, endUtime = MAX_INT4, startLt, endLt, direction } = filter
  let [from, to] = [Math.min(startUtime, MAX_INT4), Math.min(endUtime, MAX_INT4)]
  if (startLt !== undefined || endLt !== undefined) {
    const query = blockTimesQuery(startLt ?? 0n, endLt ?? MAX_INT8)
    const [times] = await reader.read(query.compile(queryBuilder))
    if (startLt !== undefined) from = Math.max(from, (times?.from ?? MAX_INT4) - DISORDER)
    if (endLt !== undefined) to = Math.min(to, (times?.to ?? -1) + DISORDER)
  }
  const reached = after?.key[0]
  if (typeof reached !== 'number') return { from, to }
  return direction === 'desc' ? { from, to: Math.min(to, reached) } : { from: Math.max(from, reached), to }
}

/** Columns that an index of blocks begins with. */
type BlockKey = 'workchain' | 'shard'

/** By time, or by the given keys. An index serves blocks of a workchain and shard; `workchains` are the candidates. */
export const blocksQuery = (
  filter: BlockFilter,
  times: BlockTimes,
  workchains: readonly number[],
  page: Page,
): RawBuilder<Tables['blocks']> => {
  const { shard } = filter
  const order = orders[filter.direction]
  if (!isByPlace(filter)) {
    const conditions = [...keyConditions(filter), ...placeConditions(filter), ...timeConditions(times)]
    return sql`select * from blocks ${whereAll([...conditions, ...commonConditions(filter, page)])} ${orderBy(order)} ${cutTo(page)}`
  }
  const keys: BlockKey[] = shard === undefined ? ['workchain'] : ['workchain', 'shard']
  const [workchain] = workchains
  if (workchains.length === 1 && workchain !== undefined) {
    return sql`${listOf(filter, sql.val(workchain), keys, times, page)} ${cutTo(page)}`
  }
  const depth = page.limit + 1 + (page.after === undefined ? page.offset : 0)
  const list = sql`${listOf(filter, sql`asked.place`, keys, times, page)} limit ${sql.val(depth)}`
  return sql`select found.* from unnest(${sql.val(workchains)}::integer[]) as asked(place)
    cross join lateral (${list}) as found ${orderBy(order)} ${cutTo(page)}`
}

/** Whether the filter has nothing but a workchain or shard to search by. */
const isByPlace = ({ workchain, shard, seqno, rootHash, fileHash, mcSeqno }: BlockFilter): boolean =>
  (workchain !== undefined || shard !== undefined) &&
  [seqno, mcSeqno, rootHash, fileHash].every((asked) => asked === undefined)

/** Compared as a range: for an equality the planner may choose the index of all blocks. */
const listOf = (
  filter: BlockFilter,
  workchain: RawBuilder<unknown> | ReturnType<typeof sql.val>,
  keys: readonly BlockKey[],
  { from, to }: BlockTimes,
  page: Page,
): RawBuilder<unknown> => {
  const { shard, direction } = filter
  const { name, columns } = orders[direction]
  const columnsOf = sql.join([...keys, 'gen_utime'].map((column) => sql.ref(column)))
  const placed = sql.join(shard === undefined ? [workchain] : [workchain, sql.val(toSignedShard(shard))])
  const conditions = [
    sql<boolean>`(${columnsOf}) >= (${placed}, ${sql.val(from)})`,
    sql<boolean>`(${columnsOf}) <= (${placed}, ${sql.val(to)})`,
    ...commonConditions(filter, page),
  ]
  const rest = columns.filter(({ column }) => !keys.some((key) => key === column))
  const order = { name, columns: [...keys.map((column) => ({ column, direction })), ...rest] }
  return sql`select * from blocks ${whereAll(conditions)} ${orderBy(order)}`
}

const equals = (column: string, value: unknown): Condition => sql<boolean>`${sql.ref(column)} = ${sql.val(value)}`

const keyConditions = ({ seqno, rootHash, fileHash, mcSeqno }: BlockFilter): Condition[] => [
  ...(seqno === undefined ? [] : [equals('seqno', seqno)]),
  ...(mcSeqno === undefined ? [] : [equals('mc_seqno', mcSeqno)]),
  ...(rootHash === undefined ? [] : [equals('root_hash', rootHash)]),
  ...(fileHash === undefined ? [] : [equals('file_hash', fileHash)]),
]

const placeConditions = ({ workchain, shard }: BlockFilter): Condition[] => [
  ...(workchain === undefined ? [] : [equals('workchain', workchain)]),
  ...(shard === undefined ? [] : [equals('shard', toSignedShard(shard))]),
]

const timeConditions = ({ from, to }: BlockTimes): Condition[] => [
  ...(from > 0 ? [sql<boolean>`gen_utime >= ${sql.val(from)}`] : []),
  ...(to < MAX_INT4 ? [sql<boolean>`gen_utime <= ${sql.val(to)}`] : []),
]

const commonConditions = ({ startLt, endLt, direction }: BlockFilter, { after }: Page): Condition[] => [
  ...(startLt === undefined ? [] : [sql<boolean>`start_lt >= ${sql.val(clampLt(startLt))}`]),
  ...(endLt === undefined ? [] : [sql<boolean>`start_lt <= ${sql.val(clampLt(endLt))}`]),
  ...(after === undefined ? [] : [afterCursor(orders[direction], after)]),
]

/** A block, and the index of its window, from 1 on. */
type PlacedBlock = Tables['blocks'] & { readonly place: number }

/** The first blocks of each window of times. */
export const blockWindowsQuery = (
  windows: readonly BlockTimes[],
  direction: 'asc' | 'desc',
  length: number,
): CompiledQuery<PlacedBlock> =>
  rawQuery(
    `select w.place::integer as place, b.*
    from unnest($1::integer[], $2::integer[]) with ordinality as w(first_time, last_time, place)
    cross join lateral (
      select * from blocks as b where b.gen_utime >= w.first_time and b.gen_utime <= w.last_time
      order by b.gen_utime ${direction}, b.workchain asc, b.shard asc, b.seqno asc limit ${Math.trunc(length)}
    ) as b`,
    [windows.map(({ from }) => from), windows.map(({ to }) => to)],
  )

const windowText = ({ from, to }: BlockTimes): string => `${from} ${to}`

/** Batched reads of the first blocks of windows, by direction and length. */
const readWindows = pagesByLength((direction, length) =>
  batchReads<BlockTimes, PlacedBlock>({
    queryOf: (windows) => blockWindowsQuery(windows, direction, length),
    textOf: windowText,
    textOfRow: ({ place }, windows) => windowText(windows[place - 1]!),
  }),
)

const isOnlyByTime = ({ startLt, endLt, ...filter }: BlockFilter): boolean =>
  keyConditions(filter).length + placeConditions(filter).length === 0 && startLt === undefined && endLt === undefined

const inOrder =
  (direction: 'asc' | 'desc') =>
  (a: Tables['blocks'], b: Tables['blocks']): number => {
    if (a.gen_utime !== b.gen_utime) return a.gen_utime < b.gen_utime === (direction === 'asc') ? -1 : 1
    if (a.workchain !== b.workchain) return a.workchain - b.workchain
    return a.shard === b.shard ? a.seqno - b.seqno : a.shard < b.shard ? -1 : 1
  }

const findRows = async (reader: Reader, filter: BlockFilter, page: Page): Promise<readonly Tables['blocks'][]> => {
  const { workchain, direction } = filter
  const times = await findTimes(reader, filter, page)
  if (isOnlyByTime(filter) && page.after === undefined && page.offset === 0 && page.limit < MAX_SHORT_PAGE) {
    const rows = await readWindows(direction, page.limit + 1)(reader, [times])
    return rows.toSorted(inOrder(direction))
  }
  const isAnywhere = workchain === undefined && isByPlace(filter)
  const workchains = isAnywhere ? await findWorkchains(reader) : workchain === undefined ? [] : [workchain]
  return reader.read(blocksQuery(filter, times, workchains, page).compile(queryBuilder))
}

/** Blocks by generation time. */
export const listBlocks = async (reader: Reader, filter: BlockFilter, page: Page): Promise<Paged<Block>> => {
  const { direction } = filter
  const found = await findRows(reader, filter, page)
  return cutPage(found.map(toBlock), orders[direction], page, ({ genUtime, workchain, shard, seqno }) => [
    genUtime,
    workchain,
    toSignedShard(shard),
    seqno,
  ])
}

/** Ranges do not overlap, so the one with the highest start is the newest. */
export const edgeBlocksQuery = () =>
  queryBuilder
    .selectFrom((from) =>
      from
        .selectFrom('covered_ranges')
        .select(['first_seqno', 'last_seqno'])
        .orderBy('first_seqno', 'desc')
        .limit(1)
        .as('newest'),
    )
    .innerJoin('blocks', (join) =>
      join
        .on(sql<boolean>`blocks.mc_seqno = any(array[newest.first_seqno, newest.last_seqno])`)
        .on('blocks.workchain', '=', masterchain),
    )
    .selectAll('blocks')
    .orderBy('blocks.mc_seqno')

/**
 * The first and last masterchain block of the newest contiguous range; `undefined` if nothing is indexed. History that is still
 * being backfilled counts once it has reached that range.
 */
export const findEdgeBlocks = async (
  reader: Reader,
): Promise<{ readonly first: Block; readonly last: Block } | undefined> => {
  const blocks = (await reader.read(edgeBlocksQuery().compile())).map(toBlock)
  const [first] = blocks
  return first === undefined ? undefined : { first, last: blocks.at(-1)! }
}

/** One lookup per shard: workchain, shard and seqno identify a block, which cannot have been included later. */
export const shardTopsQuery = (mcSeqno: number) => {
  const tops = queryBuilder
    .selectFrom('shard_tops')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('blocks')
          .selectAll('blocks')
          .whereRef('blocks.seqno', '=', 'shard_tops.seqno')
          .whereRef('blocks.workchain', '=', 'shard_tops.workchain')
          .whereRef('blocks.shard', '=', 'shard_tops.shard')
          .where('blocks.mc_seqno', '<=', mcSeqno)
          .limit(1)
          .as('top'),
      (join) => join.onTrue(),
    )
    .selectAll('top')
    .where('shard_tops.mc_seqno', '=', mcSeqno)
  const itself = queryBuilder
    .selectFrom('blocks')
    .selectAll()
    .where('mc_seqno', '=', mcSeqno)
    .where('workchain', '=', masterchain)
  return itself.unionAll(tops).orderBy(sql`workchain, shard, seqno`)
}

/** A masterchain block and the newest block of every shard at it, as far as indexed. */
export const findShardTops = async (reader: Reader, mcSeqno: number): Promise<Block[]> =>
  (await reader.read(shardTopsQuery(mcSeqno).compile())).map(toBlock)

export const indexedBlockQuery = (mcSeqno: number) =>
  queryBuilder.selectFrom('indexed_blocks').select('mc_seqno').where('mc_seqno', '=', mcSeqno)

/** Whether a masterchain block is completely indexed. */
export const isIndexed = async (reader: Reader, mcSeqno: number): Promise<boolean> =>
  (await reader.read(indexedBlockQuery(mcSeqno).compile())).length > 0
