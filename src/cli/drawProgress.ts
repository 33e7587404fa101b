const REDRAW_MS = 500
const LOG_MS = 10_000
const CLEAR_LINE = '\r\x1b[2K'

export type Screen = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

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
