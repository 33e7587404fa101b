import { isJsonObject } from '../../../src/api/core/json/parseJson.ts'
import { type Answer, askAll } from '../../support/goldenQuestion.ts'
import { compareAnswer } from './compareAnswer.ts'
import { contractParams } from './contractParams.ts'
import { differences } from './differences.ts'
import type { Expectation } from './Expectation.ts'
import { expectationOf } from './expectationOf.ts'
import type { AskedCase, GoldenSet } from './GoldenSet.ts'

export type Outcome = 'equal' | 'listed' | 'incomparable' | 'different' | 'not served'

export type GoldenResult = {
  readonly golden: AskedCase
  readonly expectation: Expectation
  /** The listed differences that bear on it. */
  readonly by: readonly string[]
  /** Those of them without which the answer would not be as expected. */
  readonly needed: readonly string[]
  /** `undefined` where it was not asked. */
  readonly answer: Answer | undefined
  readonly outcome: Outcome
  readonly found: readonly string[]
}

/** Puts the recorded questions that a filter lets pass to the interface below `baseUrl`, and compares the answers. */
export const runGolden = async (
  baseUrl: string,
  all: GoldenSet,
  wants: (golden: AskedCase) => boolean = () => true,
): Promise<GoldenResult[]> => {
  const expected = all.cases.filter(wants).map((golden) => ({ golden, ...expectationOf(golden, all) }))
  const asked = expected.filter(({ expectation }) => expectation.kind !== 'incomparable')
  const answers = await askAll(
    baseUrl,
    asked.map(({ golden }) => golden.question),
  )
  const byName = new Map(asked.map(({ golden }, at) => [golden.name, answers[at]!]))
  return expected.map(({ golden, expectation, by }) => {
    const answer = byName.get(golden.name)
    if (answer === undefined) {
      return { golden, expectation, by, needed: by.slice(-1), answer, outcome: 'incomparable', found: [] }
    }
    const found = compareAnswer(expectation, golden.question, answer)
    const needed = by.filter((name) => isNeeded(name, golden, answer, all))
    return { golden, expectation, by, needed, answer, outcome: outcomeOf(golden, answer, by, found), found }
  })
}

const isNeeded = (name: string, golden: AskedCase, answer: Answer, all: GoldenSet): boolean => {
  const { expectation } = expectationOf(golden, all, name)
  return expectation.kind === 'incomparable' || compareAnswer(expectation, golden.question, answer).length > 0
}

const outcomeOf = (golden: AskedCase, answer: Answer, by: readonly string[], found: readonly string[]): Outcome => {
  if (found.length === 0) return by.length === 0 ? 'equal' : 'listed'
  return isNotServed(golden, answer) ? 'not served' : 'different'
}

/** An endpoint of the contract is not there at all. */
const isNotServed = ({ question }: AskedCase, { status, body }: Answer): boolean => {
  if (!Object.hasOwn(contractParams, question.endpoint ?? '')) return false
  const said = isJsonObject(body) ? body['error'] : undefined
  return (status === 404 && said === 'Not Found') || (status === 422 && said === 'Unknown method')
}

const outcomes: readonly Outcome[] = ['equal', 'listed', 'incomparable', 'different', 'not served']

/** A line per endpoint with how many questions came out how, then why questions were not compared, then the totals. */
export const formatGolden = (results: readonly GoldenResult[]): string[] => {
  const count = (some: readonly GoldenResult[], outcome: Outcome): number =>
    some.filter((result) => result.outcome === outcome).length
  const groups = groupBy(results, ({ golden }) => golden.name.slice(0, golden.name.lastIndexOf('/')))
  const rows = [...groups].map(([name, some]) => [name, ...outcomes.map((outcome) => `${count(some, outcome) || '·'}`)])
  const reasons = groupBy(
    results.flatMap(({ expectation }) => (expectation.kind === 'incomparable' ? [expectation.reason] : [])),
    (reason) => reason,
  )
  const passed = count(results, 'equal') + count(results, 'listed')
  const failed = count(results, 'different') + count(results, 'not served')
  return [
    ...formatRows([['', ...outcomes], ...rows]),
    ...[...reasons].map(([reason, some]) => `not comparable, ${some.length}: ${reason}`),
    `${passed} passed (${count(results, 'equal')} equal, ${count(results, 'listed')} after listed differences), ` +
      `${failed} failed, ${count(results, 'incomparable')} not comparable`,
  ]
}

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const formatRows = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  )
}

/** How many answers each listed difference changes: those that would differ without it, or would have to be asked. */
export const countDifferences = (results: readonly GoldenResult[]): Map<string, number> => {
  const counts = new Map(differences.map(({ name }) => [name, 0]))
  for (const name of results.flatMap(({ needed }) => needed)) counts.set(name, counts.get(name)! + 1)
  return counts
}
