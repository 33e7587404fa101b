import { existsSync } from 'node:fs'
import type { Config } from '../../config/settings.ts'
import { type Damage, hasChain, verifyChainFolder } from '../../devnet/store/verifyChainFolder.ts'
import type { DecodedBlockSet } from '../../indexer/blockSets.ts'
import { checkNetwork } from '../../indexer/commit/indexState.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import type { SeqnoRange } from '../../indexer/pipeline/IndexStore.ts'
import { withRetries } from '../../indexer/sources/withRetries.ts'
import { type Fault, type Finding, type Verified, verifyRange } from '../../indexer/verify/verifyRange.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from '../../store/connect/Database.ts'
import type { CoveredRange, IndexState } from '../../store/writer/indexState.ts'
import type { CommandContext } from '../Command.ts'
import { exitCodes, expectRange } from '../errors.ts'
import { openChain } from '../index/openChain.ts'
import { type DrawnProgress, drawProgress, formatBar, formatTime } from '../progress.ts'
import { dataFolder } from '../serve/gatewayOptions.ts'
import { networkFolder } from '../start/prepareNetwork.ts'
import { databaseFolder } from './openDatabase.ts'
import { letFinish, openIndex } from './openIndex.ts'

/** Verifies the packages of an embedded network, and the rows of covered blocks against their hashes and the block source. */
export const runVerify = async (context: CommandContext): Promise<number> => {
  const { shutdown } = context
  expectRange(context.config)
  const network = await verifyNetwork(context)
  if (network !== undefined && !hasDatabase(context)) {
    context.show({ text: 'This data folder has no index.', value: { network } })
    return network.damaged.length === 0 ? exitCodes.ok.code : exitCodes.failed.code
  }
  const { database, state, ranges } = await openIndex(context)
  const chosen = chooseBlocks(ranges, context.config)
  const readBlockSet = state && (await openSource(context, state, chosen))
  return letFinish(shutdown, 'verifying', verify(context, { database, chosen, readBlockSet, network }))
}

/** Reads the block set of a masterchain block from the source. */
export type BlockSetReader = (seqno: number, signal: AbortSignal) => Promise<DecodedBlockSet>

const AHEAD = 4
const MAX_TRIES = 8

/**
 * The block source of an index, if one is configured: block sets as the indexer would write them. The next ones are prefetched
 * on request.
 */
export const openSource = async (
  context: CommandContext,
  state: IndexState,
  wanted: readonly SeqnoRange[],
): Promise<BlockSetReader | undefined> => {
  const { config, logger, shutdown } = context
  const { archive, globalConfig, liteservers, network } = config
  if (archive === undefined && globalConfig === undefined && liteservers.length === 0 && network === 'custom') {
    return undefined
  }
  const decoders = new DecodePool({ watched: state.watchedAccounts })
  shutdown.add('decoders', () => decoders.close())
  // Account states are not verified, so none are computed.
  const { blockSets, zeroState } = await openChain(
    { ...context, config: { ...config, stateFiles: [] } },
    (block, checking) => decoders.checkRoot(block, checking),
  )
  checkNetwork(state, zeroState)
  const read: BlockSetReader = (seqno, signal) =>
    withRetries(
      async () => decoders.decode(await blockSets.fetchBlockSet(seqno, signal), signal, { hashesAnew: true }),
      {
        signal,
        maxTries: MAX_TRIES,
        onRetry: (error, tries, waitMs) => logger.warn('source failed, retrying', { seqno, tries, waitMs, error }),
      },
    )
  return readAhead(read, wanted)
}

const readAhead = (read: BlockSetReader, wanted: readonly SeqnoRange[]): BlockSetReader => {
  const isWanted = (seqno: number): boolean => wanted.some(({ first, last }) => first <= seqno && seqno <= last)
  const reading = new Map<number, Promise<DecodedBlockSet>>()
  return (seqno, signal) => {
    for (const known of reading.keys()) if (known < seqno || known > seqno + AHEAD) reading.delete(known)
    for (let next = seqno; next <= seqno + AHEAD; next++) {
      if (reading.has(next) || (next !== seqno && !isWanted(next))) continue
      const blockSet = read(next, signal)
      // The failure surfaces when the value is awaited.
      blockSet.catch(() => undefined)
      reading.set(next, blockSet)
    }
    const blockSet = reading.get(seqno)!
    reading.delete(seqno)
    return blockSet
  }
}

export type CheckOptions = {
  readonly ranges: readonly SeqnoRange[]
  readonly readBlockSet: BlockSetReader | undefined
  readonly signal: AbortSignal
  readonly logger: Logger
  /** Called with the findings of a batch of blocks before the next batch is read. */
  readonly onFindings: (findings: readonly Finding[]) => Promise<void> | void
  readonly isQuiet: boolean
}

export type Checked = Verified & { /** False where it was told to stop before. */ readonly isWhole: boolean }

const STEP = 32

/** The covered blocks in the range of the settings. */
export const chooseBlocks = (
  ranges: readonly CoveredRange[],
  { from, to = Number.MAX_SAFE_INTEGER }: Pick<Config, 'from' | 'to'>,
): readonly SeqnoRange[] =>
  ranges
    .map(({ firstSeqno, lastSeqno }) => ({ first: Math.max(firstSeqno, from), last: Math.min(lastSeqno, to) }))
    .filter(({ first, last }) => first <= last)

/** Verifies blocks in order and shows progress. Stops between two blocks on shutdown. */
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
      logger.info('verifying blocks', { reached: seqno, ...numbers, left, blocksPerSecond: Math.round(perSecond) })
    },
  })
}

const words: Readonly<Record<Fault, string>> = {
  block_missing: 'nothing says that it was indexed',
  rows_changed: 'its rows are not those that were written',
  source_differs: 'its rows are not those that the source has',
  source_damaged: 'what the source has of it is damaged',
  lookup_missing: 'a transaction of it cannot be found by its hash',
  content_missing: 'a body or an initial state is missing, or not what its hash says',
  message_doubled: 'a message of it counts as received and as not',
}

/** Describes the finding for a masterchain block in one line. */
export const describeFinding = ({ seqno, fault, detail }: Finding): string =>
  `${seqno} ${fault}: ${words[fault]}${detail === undefined ? '' : `. ${detail}`}`

export const formatCount = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Result of verifying the packages of an embedded network. */
type VerifiedNetwork = {
  readonly folder: string
  readonly blocks: number
  readonly damaged: readonly Damage[]
}

const PROGRESS_MS = 5000

/** Verifies the packages of the embedded network in the data folder; `undefined` if there is none, or another network is configured. */
const verifyNetwork = async (context: CommandContext): Promise<VerifiedNetwork | undefined> => {
  const { config, logger, shutdown, show, workingDir } = context
  const folder = networkFolder(dataFolder(config, workingDir))
  const { archive, globalConfig, liteservers, network } = config
  const isOther = archive !== undefined || globalConfig !== undefined || liteservers.length > 0 || network !== 'custom'
  if (isOther || !hasChain(folder)) return undefined
  const damaged: Damage[] = []
  let told = performance.now()
  const { blocks } = await verifyChainFolder(folder, {
    from: config.from,
    to: config.to ?? Number.MAX_SAFE_INTEGER,
    signal: shutdown.signal,
    onDamage: (damage) => {
      damaged.push(damage)
      if (!config.json) show({ text: `${damage.masterSeqno} package_damaged: ${damage.reason}`, value: damage })
    },
    onProgress: (seqno, last) => {
      if (performance.now() - told < PROGRESS_MS) return
      told = performance.now()
      logger.info('verifying packages', { seqno, last, damaged: damaged.length })
    },
  })
  if (!config.json) {
    const counts = [formatCount(blocks, 'block'), formatCount(damaged.length, 'finding')].join(', ')
    show({ text: `packages of ${folder}: ${counts}`, value: { folder, blocks } })
  }
  return { folder, blocks, damaged }
}

/** An embedded network may have run without an index. */
const hasDatabase = ({ config, workingDir }: CommandContext): boolean =>
  config.databaseUrl !== undefined || existsSync(databaseFolder(dataFolder(config, workingDir)))

type Work = {
  readonly database: Parameters<typeof checkBlocks>[0]
  readonly chosen: ReturnType<typeof chooseBlocks>
  readonly readBlockSet: Parameters<typeof checkBlocks>[1]['readBlockSet']
  readonly network: VerifiedNetwork | undefined
}

const verify = async (
  { config, logger, shutdown, show }: CommandContext,
  { database, chosen, readBlockSet, network }: Work,
): Promise<number> => {
  const list: Finding[] = []
  const { blocks, transactions, findings, isWhole } = await checkBlocks(database, {
    ranges: chosen,
    readBlockSet,
    signal: shutdown.signal,
    logger,
    isQuiet: config.json,
    onFindings: (found) => {
      if (config.json) list.push(...found)
      else for (const finding of found) show({ text: describeFinding(finding), value: finding })
    },
  })
  const counts = [
    formatCount(blocks, 'block'),
    formatCount(transactions, 'transaction'),
    formatCount(findings, 'finding'),
  ]
  show({
    text: `${isWhole ? '' : 'Stopped before the end: '}${counts.join(', ')}`,
    value: {
      ranges: chosen,
      source: readBlockSet !== undefined,
      complete: isWhole,
      blocks,
      transactions,
      findings: list,
      ...(network !== undefined && { network }),
    },
  })
  return findings === 0 && (network?.damaged.length ?? 0) === 0 ? exitCodes.ok.code : exitCodes.failed.code
}
