import { setTimeout as delay } from 'node:timers/promises'
import { onAbort } from '../../primitives/scheduling.ts'

/**
 * Maps items up to `count` ahead of the consumer, with results in order. A function is asked for it again with each result; one item
 * is always under way. It ends when the consumer stops reading; work in progress then needs a signal of its own to end.
 */
export async function* mapAhead<T, U>(
  items: Iterable<T> | AsyncIterable<T>,
  count: number | (() => number),
  work: (item: T) => Promise<U>,
): AsyncGenerator<U> {
  const getCount = typeof count === 'number' ? () => count : count
  const iterator = open(items)
  const underWay: Promise<{ readonly result: U } | undefined>[] = []
  const take = async (): Promise<{ readonly result: U } | undefined> => {
    const next = await iterator.next()
    return next.done === true ? undefined : { result: await work(next.value) }
  }
  const startMore = (): void => {
    for (const most = Math.max(1, getCount()); underWay.length < most; ) {
      const taken = take()
      // Awaited later; until then it must not count as unhandled.
      taken.catch(() => undefined)
      underWay.push(taken)
    }
  }
  try {
    startMore()
    for (;;) {
      const done = await underWay.shift()!
      if (done === undefined) return
      startMore()
      yield done.result
    }
  } finally {
    // Not awaited: the next item may take long.
    void Promise.resolve(iterator.return?.(undefined)).catch(() => undefined)
  }
}

const open = <T>(items: Iterable<T> | AsyncIterable<T>): AsyncIterator<T> | Iterator<T> =>
  Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()

export type TakeOptions<T> = {
  /** Whether a group is full. */
  readonly isFull: (group: readonly T[]) => boolean
  /** How long to wait for the next item before a group is passed on. */
  readonly lingerMs: () => number
}

/** Groups available items: one item if they come slowly, many if they come faster than groups are taken. */
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
        // A failure is left for the next round, so that earlier items are not lost.
        const ready = await Promise.race([next.catch(() => undefined), patience])
        if (ready === undefined || ready.done === true) break
        group.push(ready.value)
        next = ask()
      }
      yield group
    }
  } finally {
    // Not awaited: the next item may take long.
    void iterator.return?.().catch(() => undefined)
  }
}

/** A started write, and when it is done. */
export type StartedWrite = { readonly done: Promise<void> }

/** Writes that start strictly in order, with at most two in progress. */
export class WriteQueue {
  private begun: Promise<unknown> = Promise.resolve()
  private last: Promise<unknown> = Promise.resolve()
  private beforeLast: Promise<unknown> = Promise.resolve()

  /** Resolves when the write is done. `begin` gets the promise of the previous write, which settles either way. */
  enqueue(begin: (before: Promise<unknown>) => Promise<StartedWrite>): Promise<void> {
    const { last, beforeLast } = this
    const begun = Promise.all([this.begun, beforeLast]).then(() => begin(last))
    const over = begun.then(({ done }) => done)
    this.begun = begun.catch(() => undefined)
    this.beforeLast = last
    this.last = over.catch(() => undefined)
    return over
  }

  /** Waits until no write is in progress. */
  async settle(): Promise<void> {
    await Promise.all([this.begun, this.beforeLast, this.last])
  }
}

/** The promise, or a rejection with the signal's reason if that comes first. */
export const abortable = <T>(waited: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    waited.then(resolve, reject).finally(leave)
  })
