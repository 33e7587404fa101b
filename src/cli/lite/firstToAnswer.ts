/** Starts the attempts one after another, the next one after a failure or a while, and takes the first that succeeds. */
export const firstToAnswer = <T>(attempts: readonly (() => Promise<T>)[], staggerMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const waiting = [...attempts]
    const failures: unknown[] = []
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    const startNext = (): void => {
      clearTimeout(timer)
      const attempt = waiting.shift()
      if (attempt === undefined || isOver) return
      if (waiting.length > 0) timer = setTimeout(startNext, staggerMs)
      attempt().then(succeed, fail)
    }
    const succeed = (value: T): void => {
      isOver = true
      clearTimeout(timer)
      resolve(value)
    }
    const fail = (error: unknown): void => {
      failures.push(error)
      if (failures.length === attempts.length) reject(new AggregateError(failures, 'Every attempt failed.'))
      else startNext()
    }
    startNext()
  })
