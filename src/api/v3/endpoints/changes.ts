import { type Static, Type } from 'typebox'
import { pause } from '../../../primitives/scheduling.ts'
import type { Reader } from '../../../store/connect/Database.ts'
import { type BlockChanges, findRecentRanges, listChanges } from '../../../store/reader/changes.ts'
import { findQueuedBlocks, type IndexedRange } from '../../../store/reader/eventRows.ts'
import { optional, withDefault } from '../../core/params.ts'
import { ChangesNotKeptError, IndexEmptyError, RefusedRequestError } from '../errors.ts'
import { boundedParam, int32Param } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from '../views/scalars.ts'

const MAX_BLOCKS = 100
const MAX_WAIT_S = 25
const POLL_MS = 150
/** A replica may be behind the server that gave `next`. */
const MAX_BEHIND_MS = 2000
/** Time for the answer itself, beyond the wait. */
const SPARE_MS = 15_000
/** Of newer blocks, those that wait for classification are not listed yet. Older ones may be classified again. */
const RECENT_BLOCKS = 32

const ChangesView = Type.Object(
  {
    changes: Type.Array(
      Type.Object({
        mc_seqno: Type.Integer(),
        gen_utime: DecimalText,
        root_hash: HashText,
        accounts: Type.Array(
          Type.Object({ account: AddressText, last_transaction_lt: DecimalText, last_transaction_hash: HashText }),
          { description: 'Accounts with transactions in this block and its shard blocks, each with its last one.' },
        ),
        traces: Type.Array(HashText, { description: 'Ids of the traces that ended here.' }),
      }),
      { description: 'One for each masterchain block, without gaps.' },
    ),
    next: Type.Integer({ description: 'The value of since for the next request.' }),
    head: Type.Integer({ description: 'The newest masterchain block of the index.' }),
    oldest: Type.Integer({ description: 'The lowest masterchain block from which on all are indexed up to next.' }),
  },
  { $id: 'Changes' },
)

export const changes = v3Endpoint({
  name: 'changes',
  tags: ['blocks'],
  summary: 'List what changed after a masterchain block: accounts with transactions, and traces that ended.',
  description:
    'A log to poll. Pass next as since: every block comes once, in order, also after a pause. With wait the response comes as soon as ' +
    'there is a block. The status is 410 if the blocks after since are not indexed any more, and 422 if since is ahead of the chain: it ' +
    'was set back. Complete events, with filters, are at /api/streaming/v2/events.',
  params: {
    since: optional(int32Param('Masterchain seqno: changes after it. Default: the newest block of the index.')),
    limit: withDefault(boundedParam('Maximum number of masterchain blocks.', { minimum: 1, maximum: MAX_BLOCKS }), 10),
    wait: withDefault(
      boundedParam('How long to wait for a block, in seconds.', { minimum: 0, maximum: MAX_WAIT_S }),
      0,
    ),
  },
  result: ChangesView,
  errors: ['index_empty', 'changes_not_kept'],
  timeoutMs: 1000 * MAX_WAIT_S + SPARE_MS,
  async handle({ listReads, call }, { since: given, limit, wait }) {
    // Time spent waiting does not count as database time.
    const reader = listReads.behind ?? listReads
    const start = performance.now()
    let since = given
    for (;;) {
      const ranges = await findRecentRanges(reader)
      const head = ranges[0]?.last
      if (head === undefined) throw new IndexEmptyError()
      since ??= head
      const waitedMs = performance.now() - start
      if (since <= head) {
        const range = findRange(ranges, since)
        const found = await readChanges(reader, range, since, limit)
        if (found.length > 0 || waitedMs >= 1000 * wait) {
          return { changes: found.map(toChangeView), next: found.at(-1)?.mcSeqno ?? since, head, oldest: range.first }
        }
      } else if (waitedMs >= MAX_BEHIND_MS) throw new RefusedRequestError('since is ahead of the chain')
      await pause(POLL_MS, call.signal)
    }
  },
})

/** The range that goes on after a block. */
const findRange = (ranges: readonly IndexedRange[], since: number): IndexedRange => {
  const range = ranges.find(({ first, last }) => first <= since + 1 && since <= last)
  if (range === undefined) throw new ChangesNotKeptError(ranges[0]!.first)
  return range
}

const readChanges = async (
  reader: Reader,
  range: IndexedRange,
  since: number,
  limit: number,
): Promise<readonly BlockChanges[]> => {
  const last = Math.min(range.last, since + limit)
  if (last <= since) return []
  const recent = Math.max(since + 1, range.last - RECENT_BLOCKS)
  const queued = recent > last ? [] : await findQueuedBlocks(reader, recent, last)
  const end = Math.min(last, ...[...queued].map((mcSeqno) => mcSeqno - 1))
  return end <= since ? [] : listChanges(reader, since + 1, end)
}

const toChangeView = (block: BlockChanges): Static<typeof ChangesView>['changes'][number] => ({
  mc_seqno: block.mcSeqno,
  gen_utime: String(block.utime),
  root_hash: hashText(block.rootHash),
  accounts: block.accounts.map(({ account, lt, hash }) => ({
    account: addressText(account),
    last_transaction_lt: String(lt),
    last_transaction_hash: hashText(hash),
  })),
  traces: block.traces.map(hashText),
})
