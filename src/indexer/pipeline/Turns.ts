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
