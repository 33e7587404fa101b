/** Runs work, or lets it wait until there is room. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** A gate that lets so many pieces of work run at once; the rest waits in order. */
export const createGate = (limit: number): Gate => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The place passes on to the next in line without becoming free in between.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
