import type { Progress } from '../../indexer/pipeline/StallWatchdog.ts'
import type { Logger } from '../../observe/Logger.ts'
import { drawProgress } from '../drawProgress.ts'
import { formatProgress } from './formatProgress.ts'

/** Shows how far the indexer is until it is told to stop. */
export const showProgress = (read: () => Progress | undefined, logger: Logger): (() => void) => {
  let last = 0
  const { stop } = drawProgress({
    line: () => {
      const progress = read()
      return progress === undefined ? 'Another process indexes; waiting for its place.' : formatProgress(progress)
    },
    log: () => {
      const progress = read()
      if (progress === undefined) return
      const { ranges, failure, ...numbers } = progress
      if (numbers.blocks === last && failure === undefined) return
      last = numbers.blocks
      const covered = ranges.map((range) => `${range.first}-${range.last}`).join(' ')
      logger.info('indexing', { covered, ...roundAll(numbers), ...(failure !== undefined && { failure }) })
    },
  })
  return stop
}

const roundAll = (numbers: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value && Math.round(value * 10) / 10]))
