import type { Screen } from '../progress.ts'

/** The steps of a start. */
export interface StartSteps {
  /** Whether a terminal shows them now: then it shows nothing else but warnings. */
  readonly areShown: boolean
  /** Shows a step while its work is under way, and how long it took. */
  run<T>(name: string, work: Promise<T>): Promise<T>
  /** Makes way for a line of output. */
  clear(): void
  /** Nothing follows. */
  end(): void
}

const REDRAW_MS = 100
const CLEAR_LINE = '\r\x1b[2K'
const NAME_WIDTH = 12

/** Away from a terminal the log tells. */
export const hiddenSteps: StartSteps = {
  areShown: false,
  run: (_name, work) => work,
  clear: () => undefined,
  end: () => undefined,
}

/** A line for each step that is done, and below them one for those under way. */
export const showSteps = (screen: Screen, now: () => number = () => performance.now()): StartSteps => {
  const running = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const clear = (): void => {
    if (timer !== undefined) screen.write(CLEAR_LINE)
  }
  const draw = (): void => {
    const steps = [...running].map(([name, start]) => `${name} ${formatSeconds(now() - start)}`)
    const line = steps.length === 0 ? '' : `  … ${steps.join(', ')}`
    screen.write(`${CLEAR_LINE}${line.slice(0, (screen.columns ?? 80) - 1)}`)
  }
  const end = (): void => {
    isOver = true
    clear()
    clearInterval(timer)
    timer = undefined
  }
  const finish = (name: string, mark: string): void => {
    const took = formatSeconds(now() - running.get(name)!)
    running.delete(name)
    if (isOver) return
    screen.write(`${CLEAR_LINE}  ${mark} ${name.padEnd(NAME_WIDTH)} ${took}\n`)
    draw()
  }
  return {
    get areShown() {
      return timer !== undefined
    },
    run: async (name, work) => {
      running.set(name, now())
      if (!isOver) {
        timer ??= setInterval(draw, REDRAW_MS).unref()
        draw()
      }
      try {
        const result = await work
        finish(name, '✓')
        return result
      } catch (error) {
        finish(name, '✗')
        throw error
      }
    },
    clear,
    end,
  }
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
