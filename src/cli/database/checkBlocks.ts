import type { Config } from '../../config/settings.ts'
import type { SeqnoRange } from '../../indexer/pipeline/IndexStore.ts'
import { type Finding, type Verified, verifyRange } from '../../indexer/verify/verifyRange.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { CoveredRange } from '../../store/writer/indexState.ts'
import { type DrawnProgress, drawProgress } from '../drawProgress.ts'
import { formatBar, formatTime } from '../index/formatProgress.ts'
import type { BlockSetReader } from './openSource.ts'

export type CheckOptions = {
  readonly ranges: readonly SeqnoRange[]
  readonly readBlockSet: BlockSetReader | undefined
  readonly signal: AbortSignal
  readonly logger: Logger
  /** With what is wrong with some blocks, before any further ones are looked at. */
  readonly onFindings: (findings: readonly Finding[]) => Promise<void> | void
  readonly isQuiet: boolean
}

export type Checked = Verified & { /** False where it was told to stop before. */ readonly isWhole: boolean }

const STEP = 32

/** The covered blocks among those that the settings name. */
export const chooseBlocks = (
  ranges: readonly CoveredRange[],
  { from, to = Number.MAX_SAFE_INTEGER }: Pick<Config, 'from' | 'to'>,
): readonly SeqnoRange[] =>
  ranges
    .map(({ firstSeqno, lastSeqno }) => ({ first: Math.max(firstSeqno, from), last: Math.min(lastSeqno, to) }))
    .filter(({ first, last }) => first <= last)

/** Looks at blocks in order, and shows how far it is. It can be told to stop between any two. */
export const checkBlocks = async (
  database: Pick<Database, 'transaction'>,
  { ranges, readBlockSet, signal, logger, onFindings, isQuiet }: CheckOptions,
): Promise<Checked> => {
  const total = { blocks: 0, transactions: 0, findings: 0, seqno: 0 }
  const progress = isQuiet ? undefined : showCheck(total, countBlocks(ranges), logger)
  try {
    for (const { first, last } of listSteps(ranges)) {
      if (signal.aborted) return { ...total, isWhole: false }
      const findings: Finding[] = []
      const options = { firstSeqno: first, lastSeqno: last, fetchBlockSet: readBlockSet, signal }
      const { blocks, transactions } = await verifyRange(database, {
        ...options,
        onFinding: (finding) => findings.push(finding),
      })
      total.blocks += blocks
      total.transactions += transactions
      total.findings += findings.length
      total.seqno = last
      if (findings.length === 0) continue
      progress?.clear()
      await onFindings(findings)
    }
    return { ...total, isWhole: true }
  } catch (error) {
    if (signal.aborted) return { ...total, isWhole: false }
    throw error
  } finally {
    progress?.stop()
  }
}

function* listSteps(ranges: readonly SeqnoRange[]): Generator<SeqnoRange> {
  for (const { first, last } of ranges) {
    for (let at = first; at <= last; at += STEP) yield { first: at, last: Math.min(last, at + STEP - 1) }
  }
}

const countBlocks = (ranges: readonly SeqnoRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)

const showCheck = (
  total: { readonly blocks: number; readonly transactions: number; readonly findings: number; readonly seqno: number },
  wanted: number,
  logger: Logger,
): DrawnProgress => {
  const start = performance.now()
  const read = () => {
    const perSecond = total.blocks / Math.max(0.001, (performance.now() - start) / 1000)
    const left = Math.max(0, wanted - total.blocks)
    return { perSecond, left, secondsLeft: perSecond > 0 ? left / perSecond : undefined }
  }
  return drawProgress({
    line: () => {
      const { perSecond, left, secondsLeft } = read()
      const time = secondsLeft === undefined ? '' : `, ${formatTime(secondsLeft)}`
      return `${formatBar(wanted === 0 ? 1 : total.blocks / wanted)}  block ${total.seqno}  ${perSecond.toFixed(0)} blocks/s  ${left} to go${time}  ${total.findings} findings`
    },
    log: () => {
      const { perSecond, left } = read()
      const { seqno, ...numbers } = total
      logger.info('checking blocks', { reached: seqno, ...numbers, left, blocksPerSecond: Math.round(perSecond) })
    },
  })
}
