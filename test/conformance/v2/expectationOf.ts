import type { JsonObject } from '../../../src/api/core/json/parseJson.ts'
import { differences } from './differences.ts'
import { answer, type Expectation, refusal } from './Expectation.ts'
import type { AskedCase, GoldenSet } from './GoldenSet.ts'

export type Expected = {
  readonly expectation: Expectation
  /** The names of the listed differences that bear on it. */
  readonly by: readonly string[]
}

/** What we are to answer: what was recorded, changed by every listed difference that bears on it, but for one left out. */
export const expectationOf = (golden: AskedCase, all: GoldenSet, without?: string): Expected => {
  let expectation = recordedBy(golden)
  const by: string[] = []
  for (const { name, change } of differences) {
    if (name === without) continue
    const changed = change(golden, expectation, all)
    if (changed === undefined) continue
    expectation = changed
    by.push(name)
    if (expectation.kind === 'incomparable') break
  }
  return { expectation, by }
}

const recordedBy = ({ server, status, response, call }: AskedCase): Expectation => {
  if (server === 'python-2.0') {
    return status === 200 ? answer(response['result'] ?? null) : refusal(status!, response['error'] as string)
  }
  if (response['@type'] === 'error') return refusal(500, response['message'] as string)
  return typeof call === 'object' ? answer(call.toResult(response as JsonObject)) : answer(response)
}
