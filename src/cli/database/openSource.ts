import type { DecodedBlockSet } from '../../indexer/blockSets.ts'
import { checkNetwork } from '../../indexer/commit/indexState.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import type { SeqnoRange } from '../../indexer/pipeline/IndexStore.ts'
import { withRetries } from '../../indexer/sources/withRetries.ts'
import type { IndexState } from '../../store/writer/indexState.ts'
import type { CommandContext } from '../Command.ts'
import { openChain } from '../index/openChain.ts'

/** What the source has of a masterchain block. */
export type BlockSetReader = (seqno: number, signal: AbortSignal) => Promise<DecodedBlockSet>

const AHEAD = 4
const MAX_TRIES = 8

/**
 * The source of an index, where the settings name one: the block sets as they would be written. Those that come next are read ahead,
 * where they are wanted, too.
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
  // States are not looked at, so none are made.
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
        onRetry: (error, tries, waitMs) =>
          logger.warn('the source fails, it is asked again', { seqno, tries, waitMs, error }),
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
      // Whoever comes to it sees the failure; until then, nobody looks.
      blockSet.catch(() => undefined)
      reading.set(next, blockSet)
    }
    const blockSet = reading.get(seqno)!
    reading.delete(seqno)
    return blockSet
  }
}
