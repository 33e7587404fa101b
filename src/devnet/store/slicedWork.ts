/** Work that yields every few hundred microseconds, so that it can be done between other things, or what it has to wait for. */
export type SlicedWork<T> = Generator<Promise<void> | undefined, T, void>

/** How long others may have to wait for a slice to end. */
const SLICE_MS = 4

/** Does the work in slices, between which everything else in the process has its turn. */
export const runInSlices = async <T>(work: SlicedWork<T>): Promise<T> => {
  const giveWay = () => new Promise<void>((resolve) => setImmediate(resolve))
  for (let next: Promise<void> = giveWay(); ; ) {
    await next
    const result = runSlice(work)
    if (result.done === true) return result.value
    // What it waited for may not last: it goes on at once.
    next = result.value ?? giveWay()
  }
}

const runSlice = <T>(work: SlicedWork<T>): IteratorResult<Promise<void> | undefined, T> => {
  const end = performance.now() + SLICE_MS
  let result = work.next()
  while (result.done !== true && result.value === undefined && performance.now() < end) result = work.next()
  return result
}

/** Does all of the work now. It must have nothing to wait for. */
export const runAtOnce = <T>(work: SlicedWork<T>): T => {
  let result = work.next()
  while (result.done !== true) result = work.next()
  return result.value
}
