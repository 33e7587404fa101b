/** What a run looked at beyond its own code, data and arguments. A result holds as long as these stay the same. */
export class Reads {
  /** Indexes of the context tuple (c7[0]) that were read. */
  readonly context = new Set<number>()
  /** Whether the whole context was taken, so that anything of it may have been read. */
  wholeContext = false
  /** Configuration parameters that were looked up one by one. */
  readonly configParams = new Set<number>()
}
