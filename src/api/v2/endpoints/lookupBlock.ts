import { optional } from '../../core/Param.ts'
import { findFirstOfSecond } from '../findFirstOfSecond.ts'
import { CountParam, ltParam, SeqnoParam, ShardParam, WorkchainParam } from '../params.ts'
import { outOfRange } from '../RefusedRequestError.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/BlockIdView.ts'

export const lookupBlock = v2Endpoint({
  name: 'lookupBlock',
  tags: ['blocks'],
  summary: 'The block with a number, or the first one to reach a logical time or a time.',
  description:
    'The shard may also be the first 64 bits of an account: the block of the shard that covers it is found, ' +
    'so its shard may be another than the one asked for.',
  params: {
    workchain: WorkchainParam,
    shard: ShardParam,
    seqno: optional(SeqnoParam),
    lt: optional(ltParam('lt')),
    unixtime: optional(CountParam),
  },
  result: BlockIdView,
  errors: [],
  lifetime: () => 'forever',
  check({ seqno, lt, unixtime }) {
    if ([seqno, lt, unixtime].filter((key) => key !== undefined).length !== 1) {
      throw outOfRange('exactly one of seqno, lt, unixtime should be specified')
    }
  },
  async handle({ node }, { workchain, shard, seqno, lt, unixtime: utime }) {
    const place = { workchain, shard }
    if (utime !== undefined) return toBlockIdView(await findFirstOfSecond(node, place, utime))
    const { id } = await node.lookupBlock(place, lt === undefined ? { seqno: seqno! } : { lt })
    return toBlockIdView(id)
  },
})
