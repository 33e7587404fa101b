/** Work that yields every few hundred microseconds, so that it can be done between other things. */
export type SlicedWork<T> = Generator<void, T, void>

/** How long others may have to wait for a slice to end. */
const SLICE_MS = 4

/** Does the work in slices, between which everything else in the process has its turn. */
export const runInSlices = async <T>(work: SlicedWork<T>): Promise<T> => {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    const result = runSlice(work)
    if (result.done === true) return result.value
  }
}

const runSlice = <T>(work: SlicedWork<T>): IteratorResult<void, T> => {
  const end = performance.now() + SLICE_MS
  let result = work.next()
  while (result.done !== true && performance.now() < end) result = work.next()
  return result
}

/** Does all of the work now. */
export const runAtOnce = <T>(work: SlicedWork<T>): T => {
  let result = work.next()
  while (result.done !== true) result = work.next()
  return result.value
}
