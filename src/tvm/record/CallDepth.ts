import type { Continuation } from '../machine/values.ts'

/**
 * How many calls are under way: the length of the chain of return points that begins in c0. A call saves c0 in a new one, a return
 * takes it back, and a jump leaves it as it is.
 */
export class CallDepth {
  private readonly known = new WeakMap<Continuation, number>()
  private last: Continuation | undefined = undefined
  private depth = 0

  of(c0: Continuation): number {
    if (c0 !== this.last) {
      this.depth = this.measure(c0)
      this.last = c0
    }
    return this.depth
  }

  private measure(c0: Continuation): number {
    const chain: Continuation[] = []
    let depth = 0
    for (let at: Continuation | undefined = c0; at !== undefined; at = outerOf(at)) {
      const known = this.known.get(at)
      if (known !== undefined) {
        depth = known
        break
      }
      // A loop without an end returns to itself.
      if (at.kind === 'again') depth = this.depth
      chain.push(at)
    }
    for (const continuation of chain.reverse()) {
      if (isReturnPoint(continuation)) depth++
      this.known.set(continuation, depth)
    }
    return depth
  }
}

/** What goes on when a continuation has ended. */
const outerOf = ({ kind, control, body, after }: Continuation): Continuation | undefined => {
  if (kind === 'again') return undefined
  return control?.save.c0 ?? after ?? body
}

/** Code to return to; the others only lead to some. */
const isReturnPoint = ({ kind, hasC0 }: Continuation): boolean => kind === 'ordinary' || (kind === 'envelope' && hasC0)
