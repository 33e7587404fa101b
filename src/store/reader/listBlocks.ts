import { type SelectQueryBuilder, sql } from 'kysely'
import { toSignedShard } from '../../primitives/shard.ts'
import type { Reader } from '../connect/Reader.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
import type { Tables } from '../tables.ts'
import { type Block, toBlock } from './Block.ts'
import { afterCursor, applyPage, cutPage, type Order, type Page, type Paged } from './page.ts'

export type BlocksQuestion = {
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly rootHash?: Uint8Array | undefined
  readonly fileHash?: Uint8Array | undefined
  /** Of the masterchain block that was the first to include them. */
  readonly mcSeqno?: number | undefined
  readonly startUtime?: number | undefined
  readonly endUtime?: number | undefined
  /** Bounds of the logical time at which a block begins. */
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

type BlocksQuery = SelectQueryBuilder<Tables, 'blocks', Tables['blocks']>

const orders: Record<BlocksQuestion['direction'], Order> = { asc: byTime('asc'), desc: byTime('desc') }

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

/** How many blocks in the order of time are looked at for those of one workchain or shard, where nothing else leads to them. */
export const MAX_WALKED_BLOCKS = 100_000

/** Blocks of different shards are not made in the order of their logical times, but never so far from it. In seconds. */
const DISORDER = 600

export const blocksQuery = (question: BlocksQuestion, page: Page): BlocksQuery => {
  const order = orders[question.direction]
  if (!isWalk(question))
    return applyPage(withPlace(withKeys(withWindow(allBlocks(), question), question), question), order, page)
  const walked = queryBuilder.selectFrom(walkQuery(question, page).as('blocks')).selectAll() as unknown as BlocksQuery
  const { limit, offset, after } = page
  return applyPage(withPlace(walked, question), order, {
    limit,
    offset: after === undefined ? offset : 0,
    after: undefined,
  })
}

/** Whether only the order of time leads to what is asked for, most of which may be something else. */
const isWalk = ({ workchain, shard, seqno, rootHash, fileHash, mcSeqno }: BlocksQuestion): boolean =>
  (workchain !== undefined || shard !== undefined) &&
  seqno === undefined &&
  mcSeqno === undefined &&
  rootHash === undefined &&
  fileHash === undefined

const walkQuery = (question: BlocksQuestion, { after }: Page): BlocksQuery => {
  const order = orders[question.direction]
  return applyPage(withWindow(allBlocks(), question), order, { limit: MAX_WALKED_BLOCKS - 1, offset: 0, after })
}

/** How many blocks there are to walk over, counted no further than is walked. */
export const walkedBlocksQuery = (question: BlocksQuestion, { after }: Page) => {
  let within = withWindow(allBlocks(), question).clearSelect().select('mc_seqno')
  if (after !== undefined) within = within.where(afterCursor(orders[question.direction], after))
  // In order, so that it is the index that is counted.
  within = within.orderBy('gen_utime', question.direction)
  return queryBuilder.selectFrom(within.limit(MAX_WALKED_BLOCKS).as('within')).select(sql<bigint>`count(*)`.as('count'))
}

const allBlocks = (): BlocksQuery => queryBuilder.selectFrom('blocks').selectAll() as unknown as BlocksQuery

const withWindow = (query: BlocksQuery, question: BlocksQuestion): BlocksQuery => {
  const { startUtime, endUtime, startLt, endLt } = question
  let bounded = query
  if (startUtime !== undefined) bounded = bounded.where('gen_utime', '>=', Math.min(startUtime, MAX_INT4))
  if (endUtime !== undefined) bounded = bounded.where('gen_utime', '<=', Math.min(endUtime, MAX_INT4))
  if (startLt !== undefined) bounded = bounded.where('start_lt', '>=', clampLt(startLt)).where(isLater(startLt))
  if (endLt !== undefined) bounded = bounded.where('start_lt', '<=', clampLt(endLt)).where(isEarlier(endLt))
  return bounded
}

const clampLt = (lt: bigint): bigint => (lt > MAX_INT8 ? MAX_INT8 : lt)

// Times that follow from the logical ones, so that a walk in the order of time begins and ends near them.
const isLater = (startLt: bigint) =>
  sql<boolean>`gen_utime >= (${nearest('>=', 'asc', startLt).select(sql<number>`gen_utime - ${sql.lit(DISORDER)}`.as('utime'))})`

const isEarlier = (endLt: bigint) =>
  sql<boolean>`gen_utime <= (${nearest('<=', 'desc', endLt).select(sql<number>`gen_utime + ${sql.lit(DISORDER)}`.as('utime'))})`

const nearest = (sign: '>=' | '<=', direction: 'asc' | 'desc', lt: bigint) =>
  queryBuilder
    .selectFrom('blocks as near')
    .where('near.start_lt', sign, clampLt(lt))
    .orderBy('near.start_lt', direction)
    .limit(1)

const withKeys = (query: BlocksQuery, { seqno, rootHash, fileHash, mcSeqno }: BlocksQuestion): BlocksQuery => {
  let narrowed = query
  if (seqno !== undefined) narrowed = narrowed.where('seqno', '=', seqno)
  if (mcSeqno !== undefined) narrowed = narrowed.where('mc_seqno', '=', mcSeqno)
  if (rootHash !== undefined) narrowed = narrowed.where('root_hash', '=', rootHash)
  if (fileHash !== undefined) narrowed = narrowed.where('file_hash', '=', fileHash)
  return narrowed
}

const withPlace = (query: BlocksQuery, { workchain, shard }: BlocksQuestion): BlocksQuery => {
  const narrowed = workchain === undefined ? query : query.where('workchain', '=', workchain)
  return shard === undefined ? narrowed : narrowed.where('shard', '=', toSignedShard(shard))
}

/** Blocks by the time at which they were made. */
export const listBlocks = async (reader: Reader, question: BlocksQuestion, page: Page): Promise<Paged<Block>> => {
  const found = await reader.read(blocksQuery(question, page).compile())
  if (found.length <= page.limit && isWalk(question)) await assertWalkedAll(reader, question, page)
  return cutPage(found.map(toBlock), orders[question.direction], page, ({ genUtime, workchain, shard, seqno }) => [
    genUtime,
    workchain,
    toSignedShard(shard),
    seqno,
  ])
}

const assertWalkedAll = async (reader: Reader, question: BlocksQuestion, page: Page): Promise<void> => {
  const [row] = await reader.read(walkedBlocksQuery(question, page).compile())
  if (row !== undefined && row.count < BigInt(MAX_WALKED_BLOCKS)) return
  throw new QueryTooCostlyError(
    'There are too many blocks to look for those of this workchain and shard among them: add seqno or mc_seqno, or narrow the time by start_utime and end_utime.',
  )
}
