import type { Progress } from '../indexer/pipeline/StallWatchdog.ts'

const REDRAW_MS = 500
const LOG_MS = 10_000
const CLEAR_LINE = '\r\x1b[2K'

export type Screen = { readonly isTTY?: boolean; readonly columns?: number | undefined; write(text: string): unknown }

export type ProgressViews = {
  /** The line that a terminal shows. */
  readonly line: () => string
  /** Writes a line of the log, where there is something new to tell. */
  readonly log: () => void
}

export type DrawnProgress = {
  /** Makes way for a line of output; it is drawn again below. */
  clear(): void
  stop(): void
}

/** Shows how far some work is until it is told to stop: a line that is drawn anew on a terminal, a line of the log now and then elsewhere. */
export const drawProgress = ({ line, log }: ProgressViews, screen: Screen = process.stderr): DrawnProgress => {
  const { isTTY = false } = screen
  const clear = (): void => {
    if (isTTY) screen.write(CLEAR_LINE)
  }
  const draw = (): void => {
    screen.write(`${CLEAR_LINE}${line().slice(0, (screen.columns ?? 120) - 1)}`)
  }
  const timer = setInterval(isTTY ? draw : log, isTTY ? REDRAW_MS : LOG_MS)
  return {
    clear,
    stop: () => {
      clearInterval(timer)
      clear()
      log()
    },
  }
}

const BAR_WIDTH = 24

/** How far the work is, in one line: a bar, the rate and the time left. */
export const formatProgress = ({
  ranges,
  head,
  missing,
  blocksPerSecond,
  transactionsPerSecond,
  secondsLeft,
  failure,
}: Progress): string => {
  const covered = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const share = covered + missing === 0 ? 0 : covered / (covered + missing)
  const top = ranges.at(-1)
  const where = top === undefined ? 'nothing yet' : `${top.first}–${top.last}`
  const rate = `${formatRate(blocksPerSecond)} blocks/s, ${formatRate(transactionsPerSecond)} tx/s`
  const left =
    missing === 0 ? 'complete' : `${missing} to go${secondsLeft === undefined ? '' : `, ${formatTime(secondsLeft)}`}`
  const trouble = failure === undefined ? '' : `  ! ${failure}`
  return `${formatBar(share)}  ${where} of ${head ?? '?'}  ${rate}  ${left}${trouble}`
}

/** A bar with the share as a number beside it. */
export const formatBar = (share: number): string => {
  const filled = Math.floor(share * BAR_WIDTH)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${(share * 100).toFixed(1)} %`
}

const formatRate = (rate: number): string => (rate >= 100 ? rate.toFixed(0) : rate.toFixed(1))

export const formatTime = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

export const formatBytes = (bytes: number): string => {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return step === 0 ? `${Math.round(bytes)} B` : `${(bytes / 1000 ** step).toFixed(1)} ${UNITS[step]}`
}
