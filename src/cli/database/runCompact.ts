import { type CompactedIndex, compactIndexes, type IndexStart } from '../../store/maintenance/compactIndexes.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { drawProgress, formatBytes } from '../progress.ts'
import { letFinish, openIndex } from './openIndex.ts'

/** Rebuilds loosely filled indexes. The indexer and servers may go on. */
export const runCompact = async (context: CommandContext): Promise<void> => {
  const { shutdown, show } = context
  const { database } = await openIndex(context)
  if (database.isDistributed) {
    throw new UsageError(
      'compact is not supported on a Citus cluster: the partitions are on its workers.',
      'The indexer rebuilds the indexes of complete partitions there.',
    )
  }
  const work = async (): Promise<void> => {
    const progress = showStart(context)
    const onIndex = (compacted: CompactedIndex): void => {
      progress.clear()
      const { index, bytesBefore, bytes } = compacted
      show({ text: `${index}: ${formatChange(bytesBefore, bytes)}`, value: compacted })
    }
    try {
      const compacted = await compactIndexes(database, { signal: shutdown.signal, onStart: progress.start, onIndex })
      progress.stop()
      const total = { indexes: compacted.length, bytesBefore: 0, bytes: 0 }
      for (const { bytesBefore, bytes } of compacted) {
        total.bytesBefore += bytesBefore
        total.bytes += bytes
      }
      show({
        text:
          total.indexes === 0
            ? 'No large index is loosely filled: there is nothing to compact.'
            : `${total.indexes} ${total.indexes === 1 ? 'index is' : 'indexes are'} compacted: ${formatChange(total.bytesBefore, total.bytes)}`,
        value: total,
      })
    } finally {
      progress.stop()
    }
  }
  await letFinish(shutdown, 'compacting', work())
}

const formatChange = (before: number, after: number): string =>
  `${formatBytes(before)} before, ${formatBytes(after)} now`

/** Shows which index is being rebuilt. */
const showStart = ({ logger, config }: CommandContext) => {
  let current: IndexStart | undefined
  let told: IndexStart | undefined
  const drawn = config.json
    ? undefined
    : drawProgress({
        line: () =>
          current === undefined
            ? 'looking for loosely filled indexes'
            : `compacting ${current.index}, ${formatBytes(current.bytes)} (${current.position} of ${current.count})`,
        log: () => {
          if (current === told) return
          told = current
          logger.info('compacting index', current)
        },
      })
  let isOver = false
  return {
    start: (next: IndexStart): void => {
      current = next
    },
    clear: () => drawn?.clear(),
    stop: () => {
      // The last index has its own line.
      told = current
      if (!isOver) drawn?.stop()
      isOver = true
    },
  }
}
