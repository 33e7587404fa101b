import type { JsonValue } from '../../../src/api/core/json/parseJson.ts'
import type { Question } from '../../support/goldenQuestion.ts'
import { computedAnswer } from './computedAnswer.ts'
import { answer, type Expectation } from './Expectation.ts'
import type { GoldenSet } from './GoldenSet.ts'

/** What the contract has us answer where 2.0 refuses: worked out, or recorded in another spelling; at the least a success. */
export const servedAnswer = (question: Question, all: GoldenSet): Expectation => {
  const sibling = all.findSibling(question)
  const computed = computedAnswer(question) ?? (sibling === undefined ? undefined : answer(sibling))
  return computed ?? { kind: 'check', check: (result) => startFault(question, result) }
}

/** A history starts where it is told to. */
const startFault = ({ endpoint, params }: Question, result: JsonValue): string | undefined => {
  if (endpoint !== 'getTransactions' || params['lt'] === undefined) return undefined
  const [first] = result as readonly { transaction_id: { lt: string } }[]
  return first?.transaction_id.lt === params['lt']
    ? undefined
    : `the first transaction is that of ${first?.transaction_id.lt}`
}
