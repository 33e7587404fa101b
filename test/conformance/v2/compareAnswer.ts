import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { stringifyJson } from '../../../src/api/core/json/stringifyJson.ts'
import type { Answer, Question } from '../../support/goldenQuestion.ts'
import { compareShapes } from './compareShapes.ts'
import { anything, type Expectation, type Refusal } from './Expectation.ts'

/** Everything in which an answer is not what is expected, a line each; none where it is. */
export const compareAnswer = (expected: Expectation, question: Question, answer: Answer): string[] => {
  if (expected.kind === 'incomparable') return []
  return [...compareEnvelope(question, answer), ...compareContent(expected, answer)]
}

const compareContent = (expected: Expectation, answer: Answer): string[] => {
  if (expected.kind === 'either') {
    const found = expected.options.map((option) => compareContent(option, answer))
    return found.find((differences) => differences.length === 0) ?? found[0]!
  }
  if (expected.kind === 'incomparable') return []
  if (expected.kind === 'refusal') return compareRefusal(expected, answer)
  const { status, body } = answer
  if (status !== 200) return [`status: expected 200, got ${status} ${shorten(body)}`]
  const result = (body as JsonObject)['result'] ?? null
  if (expected.kind === 'shape') return compareShapes(expected.result, result, 'result')
  if (expected.kind === 'answer') return compareValues(expected.result, result, 'result')
  const fault = expected.check(result)
  return fault === undefined ? [] : [`result: ${fault}`]
}

const compareRefusal = ({ status, texts }: Refusal, answer: Answer): string[] => {
  const said = isJsonObject(answer.body) ? answer.body['error'] : undefined
  if (answer.status !== status)
    return [`status: expected ${status} ${texts.join(' or ')}, got ${answer.status} ${shorten(answer.body)}`]
  const isTold =
    typeof said === 'string' && texts.some((text) => (typeof text === 'string' ? text === said : text.test(said)))
  return isTold
    ? []
    : [`error: expected ${texts.map((text) => shorten(`${text}`)).join(' or ')}, got ${shorten(said ?? null)}`]
}

const extraPattern = /^[0-9]+:(_|[0-9]+(,[0-9]+)*):[0-9]+(\.[0-9]+)?(:c)?$|^_$/

/** What every answer has around its content (sections 1, 2 and 3 of the contract). */
const compareEnvelope = (question: Question, { status, headers, body }: Answer): string[] => {
  if (!isJsonObject(body)) return [`body: expected an object, got ${shorten(body)}`]
  const found: string[] = []
  const expect = (isRight: boolean, text: string): void => void (isRight || found.push(text))
  const { ok, result, error, code, '@extra': extra, jsonrpc, id, ...others } = body
  expect(Object.keys(others).length === 0, `envelope: has members that there are not: ${Object.keys(others).join()}`)
  expect(ok === (status === 200), `envelope: ok is ${ok} with status ${status}`)
  expect((result !== undefined) === (status === 200), 'envelope: there is a result with success, and only then')
  expect(
    (typeof error === 'string' && error !== '') === (status !== 200),
    'envelope: there is an error with failure, and only then',
  )
  expect(status === 200 ? code === undefined : code === status, `envelope: code is ${code} with status ${status}`)
  const isEchoed = question.extra !== undefined && extra === question.extra
  expect(typeof extra === 'string' && (isEchoed || extraPattern.test(extra)), `envelope: @extra is ${extra}`)
  expect(jsonrpc === (question.path === '/jsonRPC' ? '2.0' : undefined), `envelope: jsonrpc is ${jsonrpc}`)
  const isId = typeof question.id !== 'object' || question.id === null
  expect(
    id === (isId ? question.id : undefined),
    `envelope: id is ${shorten(id ?? null)}, not ${shorten(question.id ?? null)}`,
  )
  expect(
    /^2\.2\.[0-9]+$/.test(headers.get('x-api-version') ?? ''),
    `header X-API-Version is ${headers.get('x-api-version')}`,
  )
  expect(
    /^application\/json\b/.test(headers.get('content-type') ?? ''),
    `header Content-Type is ${headers.get('content-type')}`,
  )
  return found
}

/** Every place at which two values differ. The order of members does not count. */
export const compareValues = (expected: JsonValue, actual: JsonValue | undefined, path: string): string[] => {
  if (expected === anything && actual !== undefined) return []
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return [...names].flatMap((name) => {
      if (!Object.hasOwn(expected, name))
        return [`${path}.${name}: expected none, got ${shorten(actual[name] ?? null)}`]
      return compareValues(expected[name]!, Object.hasOwn(actual, name) ? actual[name] : undefined, `${path}.${name}`)
    })
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const lengths =
      expected.length === actual.length ? [] : [`${path}: expected ${expected.length} items, got ${actual.length}`]
    const items: readonly JsonValue[] = expected
    return [
      ...lengths,
      ...items.slice(0, actual.length).flatMap((item, at) => compareValues(item, actual[at], `${path}[${at}]`)),
    ]
  }
  if (expected === actual) return []
  return [`${path}: expected ${shorten(expected)}, got ${actual === undefined ? 'none' : shorten(actual)}`]
}

const shorten = (value: JsonValue): string => {
  const text = stringifyJson(value)
  return text.length > 400 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}
