import type { DecodedUnit } from '../../indexer/blockSets.ts'
import { checkNetwork } from '../../indexer/commit/indexState.ts'
import { DecodePool } from '../../indexer/decode/DecodePool.ts'
import type { SeqnoRange } from '../../indexer/pipeline/IndexStore.ts'
import { withRetries } from '../../indexer/sources/withRetries.ts'
import type { IndexState } from '../../store/writer/indexState.ts'
import type { CommandContext } from '../Command.ts'
import { openChain } from '../index/openChain.ts'

/** What the source has of a masterchain block. */
export type UnitReader = (seqno: number, signal: AbortSignal) => Promise<DecodedUnit>

const AHEAD = 4
const MAX_TRIES = 8

/**
 * The source of an index, where the settings name one: the units as they would be written. Those that come next are read ahead,
 * where they are wanted, too.
 */
export const openSource = async (
  context: CommandContext,
  state: IndexState,
  wanted: readonly SeqnoRange[],
): Promise<UnitReader | undefined> => {
  const { config, logger, shutdown } = context
  const { archive, globalConfig, liteservers, network } = config
  if (archive === undefined && globalConfig === undefined && liteservers.length === 0 && network === 'custom') {
    return undefined
  }
  const decoders = new DecodePool({ watched: state.watchedAccounts })
  shutdown.add('decoders', () => decoders.close())
  // States are not looked at, so none are made.
  const { units, zeroState } = await openChain(
    { ...context, config: { ...config, stateFiles: [] } },
    (block, checking) => decoders.checkRoot(block, checking),
  )
  checkNetwork(state, zeroState)
  const read: UnitReader = (seqno, signal) =>
    withRetries(async () => decoders.decode(await units.fetchUnit(seqno, signal), signal, { hashesAnew: true }), {
      signal,
      maxTries: MAX_TRIES,
      onRetry: (error, tries, waitMs) =>
        logger.warn('the source fails, it is asked again', { seqno, tries, waitMs, error }),
    })
  return readAhead(read, wanted)
}

const readAhead = (read: UnitReader, wanted: readonly SeqnoRange[]): UnitReader => {
  const isWanted = (seqno: number): boolean => wanted.some(({ first, last }) => first <= seqno && seqno <= last)
  const reading = new Map<number, Promise<DecodedUnit>>()
  return (seqno, signal) => {
    for (const known of reading.keys()) if (known < seqno || known > seqno + AHEAD) reading.delete(known)
    for (let next = seqno; next <= seqno + AHEAD; next++) {
      if (reading.has(next) || (next !== seqno && !isWanted(next))) continue
      const unit = read(next, signal)
      // Whoever comes to it sees the failure; until then, nobody looks.
      unit.catch(() => undefined)
      reading.set(next, unit)
    }
    const unit = reading.get(seqno)!
    reading.delete(seqno)
    return unit
  }
}
