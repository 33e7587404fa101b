import type { Counters } from '../../../src/codec/tlb/McStateExtra.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import type { BlockView } from './BlockView.ts'
import type { Findings } from './Findings.ts'
import type { StateView } from './StateView.ts'

const TOTALS = '0'.repeat(64)
const NONE: Counters = { lastUpdated: 0, total: 0n, recent2048: 0n, recent65536: 0n }

type Stats = ReadonlyMap<string, { readonly masterchain: Counters; readonly shards: Counters }>

const statsOf = ({ master }: StateView): Stats =>
  new Map(master.history.blockCreateStats?.creators.entries().map(([key, stats]) => [toHex(key), stats]) ?? [])

/** Who made how many blocks: kept under capability 2, one more for the maker of each block and for all together. */
export const checkCreateStats = (
  { block, before, after, config }: BlockContext,
  shardBlocks: readonly BlockView[],
  findings: Findings,
): void => {
  const { blockCreateStats } = after.master.history
  findings.equal('block_create_stats, by capability 2', blockCreateStats !== undefined, config.has.createStats)
  if (blockCreateStats === undefined) return
  findings.equal('form of block_create_stats', blockCreateStats.kind, 'plain')
  const [old, young] = [statsOf(before[0]!), statsOf(after)]
  const made = (list: readonly BlockView[], key: string): bigint =>
    BigInt(list.filter(({ extra }) => key === TOTALS || toHex(extra.createdBy) === key).length)
  const keys = new Set([...old.keys(), ...young.keys(), toHex(block.extra.createdBy), TOTALS])
  for (const key of keys) {
    const [was, is] = [old.get(key), young.get(key)]
    const check = (what: string, oldest: Counters, newest: Counters, count: bigint): void => {
      const rule = `${what} of ${key} in block_create_stats`
      findings.equal(rule, newest.total, oldest.total + count)
      findings.equal(`time of ${rule}`, newest.lastUpdated, count > 0n ? block.info.genUtime : oldest.lastUpdated)
      for (const fading of ['recent2048', 'recent65536'] as const) {
        const [least, most] = [count << 32n, oldest[fading] + (count << 32n)]
        const isWithin = newest[fading] >= least && newest[fading] <= most
        findings.isTrue(`${fading} of ${rule}`, isWithin, `${least} to ${most}`, newest[fading])
      }
    }
    check('masterchain blocks', was?.masterchain ?? NONE, is?.masterchain ?? NONE, made([block], key))
    check('shard blocks', was?.shards ?? NONE, is?.shards ?? NONE, made(shardBlocks, key))
  }
}
