import { setTimeout as delay } from 'node:timers/promises'

export type TakeOptions<T> = {
  /** Whether a group takes no more. */
  readonly isFull: (group: readonly T[]) => boolean
  /** How long to wait for the next item before a group goes without it. */
  readonly lingerMs: () => number
}

/** Groups of what is there: one item where they come slowly, many where they come faster than groups are taken. */
export async function* takeReady<T>(
  items: AsyncIterable<T>,
  { isFull, lingerMs }: TakeOptions<T>,
): AsyncGenerator<readonly T[]> {
  const iterator = items[Symbol.asyncIterator]()
  const ask = (): Promise<IteratorResult<T>> => {
    const next = iterator.next()
    next.catch(() => undefined)
    return next
  }
  try {
    let next = ask()
    for (;;) {
      const first = await next
      if (first.done === true) return
      const group = [first.value]
      next = ask()
      const patience = delay(lingerMs(), undefined, { ref: false })
      while (!isFull(group)) {
        // A failure is left for the next round, so that what came before it is not lost with it.
        const ready = await Promise.race([next.catch(() => undefined), patience])
        if (ready === undefined || ready.done === true) break
        group.push(ready.value)
        next = ask()
      }
      yield group
    }
  } finally {
    // Not waited for: the next item may be a long time coming.
    void iterator.return?.().catch(() => undefined)
  }
}
