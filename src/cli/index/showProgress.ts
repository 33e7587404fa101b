import type { Progress } from '../../indexer/pipeline/WorkClock.ts'
import type { Logger } from '../../observe/Logger.ts'
import { formatProgress } from './formatProgress.ts'

const REDRAW_MS = 500
const LOG_MS = 10_000
const CLEAR_LINE = '\r\x1b[2K'

type Screen = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

/** Shows how far the work is until it is told to stop: a line that is drawn anew on a terminal, a line of the log now and then elsewhere. */
export const showProgress = (
  read: () => Progress | undefined,
  logger: Logger,
  screen: Screen = process.stderr,
): (() => void) => {
  const { isTTY = false } = screen
  let last = 0
  const draw = (): void => {
    const progress = read()
    const line = progress === undefined ? 'Another process indexes; waiting for its place.' : formatProgress(progress)
    screen.write(`${CLEAR_LINE}${line.slice(0, (screen.columns ?? 120) - 1)}`)
  }
  const log = (): void => {
    const progress = read()
    if (progress === undefined) return
    const { ranges, failure, ...numbers } = progress
    if (numbers.blocks === last && failure === undefined) return
    last = numbers.blocks
    const covered = ranges.map((range) => `${range.first}-${range.last}`).join(' ')
    logger.info('indexing', { covered, ...roundAll(numbers), ...(failure !== undefined && { failure }) })
  }
  const timer = setInterval(isTTY ? draw : log, isTTY ? REDRAW_MS : LOG_MS)
  return () => {
    clearInterval(timer)
    if (isTTY) screen.write(CLEAR_LINE)
    log()
  }
}

const roundAll = (numbers: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value && Math.round(value * 10) / 10]))
