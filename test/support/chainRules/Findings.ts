import { Cell } from '../../../src/codec/cell/Cell.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type Amount, formatAmount } from './amounts.ts'

type Shown = bigint | number | string | boolean | undefined | Uint8Array | Cell | Amount

const show = (value: Shown): string => {
  if (value === undefined) return 'nothing'
  if (value instanceof Uint8Array) return toHex(value)
  if (value instanceof Cell) return toHex(value.hash())
  if (value instanceof Map) return formatAmount(value)
  return String(value)
}

/** Collects what is wrong with one block, a sentence for each rule that it breaks. */
export class Findings {
  readonly violations: string[] = []
  private readonly place: string

  constructor(place: string) {
    this.place = place
  }

  fail(rule: string, expected: string, found: string): void {
    this.violations.push(`Block ${this.place}, ${rule}: ${expected} was expected, ${found} found.`)
  }

  equal(rule: string, found: Shown, expected: Shown): void {
    if (found === expected) return
    const [shownFound, shownExpected] = [show(found), show(expected)]
    if (shownFound !== shownExpected) this.fail(rule, shownExpected, shownFound)
  }

  isTrue(rule: string, holds: boolean, expected: string, found: Shown): void {
    if (!holds) this.fail(rule, expected, show(found))
  }

  /** Two sets of keys that should be the same; each that is too many or missing is named. */
  sameKeys(rule: string, found: Iterable<string>, expected: Iterable<string>): void {
    const [foundSet, expectedSet] = [new Set(found), new Set(expected)]
    for (const key of foundSet) if (!expectedSet.has(key)) this.fail(rule, `no ${key}`, 'it is there')
    for (const key of expectedSet) if (!foundSet.has(key)) this.fail(rule, key, 'it is missing')
  }
}
