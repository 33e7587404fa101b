import type { RecordedRegisters, RecordedValue } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { Vm } from '../machine/Vm.ts'
import { type Continuation, isTuple, type Tuple, type Value } from '../machine/values.ts'
import type { PageValues } from './PageValues.ts'

/** Control registers of a machine at one moment. */
export class Registers {
  readonly c0: Continuation
  readonly c1: Continuation
  readonly c2: Continuation
  readonly c3: Continuation
  readonly c4: Cell
  readonly c5: Cell
  readonly c7: Tuple

  constructor({ c0, c1, c2, c3, c4, c5, c7 }: Vm) {
    this.c0 = c0
    this.c1 = c1
    this.c2 = c2
    this.c3 = c3
    this.c4 = c4
    this.c5 = c5
    this.c7 = c7
  }

  writeAll(page: PageValues): RecordedRegisters {
    const { c0, c1, c2, c3, c4, c5, c7 } = this
    const continuations = [c0, c1, c2, c3].map((register) => page.writeContinuation(register))
    const [w0, w1, w2, w3] = continuations as [RecordedValue, RecordedValue, RecordedValue, RecordedValue]
    const cells = { c4: page.nameCell(c4), c5: page.nameCell(c5) }
    return { c0: w0, c1: w1, c2: w2, c3: w3, ...cells, c7: Object.fromEntries(writeTupleChanges([], c7, page)) }
  }

  /** What is another now; `undefined` for nothing. */
  writeChanges(now: Vm, page: PageValues): RecordedRegisters | undefined {
    const changes: { -readonly [K in keyof RecordedRegisters]: RecordedRegisters[K] } = {}
    for (const name of ['c0', 'c1', 'c2', 'c3'] as const) {
      if (now[name] !== this[name]) changes[name] = page.writeContinuation(now[name])
    }
    for (const name of ['c4', 'c5'] as const) if (now[name] !== this[name]) changes[name] = page.nameCell(now[name])
    if (now.c7 !== this.c7) {
      const paths = writeTupleChanges(this.c7, now.c7, page)
      if (paths.length > 0) changes.c7 = Object.fromEntries(paths)
    }
    for (const _ in changes) {
      page.size += 200
      return changes
    }
    return undefined
  }
}

/** Members of c7 that differ, those of its first member one by one. */
const writeTupleChanges = (before: Tuple, now: Tuple, page: PageValues): [string, RecordedValue][] => {
  const paths: [string, RecordedValue][] = []
  const compare = (a: Tuple, b: Tuple, prefix: string): void => {
    for (let k = 0; k < Math.max(a.length, b.length); k++) {
      const left: Value = a[k] ?? null
      const right: Value = b[k] ?? null
      if (k < a.length && Object.is(left, right)) continue
      if (prefix === '' && k === 0 && isTuple(right)) compare(isTuple(left) ? left : [], right, '0.')
      else paths.push([`${prefix}${k}`, page.write(right)])
    }
  }
  compare(before, now, '')
  return paths
}
