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
