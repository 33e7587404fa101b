import { setTimeout as delay } from 'node:timers/promises'
import { onAbort } from '../../primitives/scheduling.ts'

/**
 * Does the work for up to `count` items before their results are asked for, and gives the results in order. Whoever stops reading
 * ends it; what is under way then is to be ended by a signal of its own.
 */
export async function* mapAhead<T, U>(
  items: Iterable<T> | AsyncIterable<T>,
  count: number,
  work: (item: T) => Promise<U>,
): AsyncGenerator<U> {
  const iterator = open(items)
  const underWay: Promise<{ readonly result: U } | undefined>[] = []
  const take = async (): Promise<{ readonly result: U } | undefined> => {
    const next = await iterator.next()
    return next.done === true ? undefined : { result: await work(next.value) }
  }
  const start = (): void => {
    const taken = take()
    // It is looked at in its turn; until then nobody else must call it unhandled.
    taken.catch(() => undefined)
    underWay.push(taken)
  }
  try {
    for (let k = 0; k < count; k++) start()
    for (;;) {
      const done = await underWay.shift()!
      if (done === undefined) return
      start()
      yield done.result
    }
  } finally {
    // Not waited for: the next item may be a long time coming.
    void Promise.resolve(iterator.return?.(undefined)).catch(() => undefined)
  }
}

const open = <T>(items: Iterable<T> | AsyncIterable<T>): AsyncIterator<T> | Iterator<T> =>
  Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()

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

/** What has begun, and when it is over. */
export type Begun = { readonly done: Promise<void> }

/** Tasks that begin strictly one after another, and of which two at most are under way. */
export class Turns {
  private begun: Promise<unknown> = Promise.resolve()
  private last: Promise<unknown> = Promise.resolve()
  private beforeLast: Promise<unknown> = Promise.resolve()

  /** Resolves when the task is over. `begin` is told when the task before it is, in which way ever. */
  take(begin: (before: Promise<unknown>) => Promise<Begun>): Promise<void> {
    const { last, beforeLast } = this
    const begun = Promise.all([this.begun, beforeLast]).then(() => begin(last))
    const over = begun.then(({ done }) => done)
    this.begun = begun.catch(() => undefined)
    this.beforeLast = last
    this.last = over.catch(() => undefined)
    return over
  }

  /** Waits until nothing is under way. */
  async settle(): Promise<void> {
    await Promise.all([this.begun, this.beforeLast, this.last])
  }
}

/** What is waited for, or the reason of the signal where that comes first. */
export const orAbort = <T>(waited: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    waited.then(resolve, reject).finally(leave)
  })
